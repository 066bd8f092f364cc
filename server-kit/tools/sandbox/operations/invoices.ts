import { toIso } from '../clock/iso.ts';
import { SandboxError } from '../errors/sandbox-error.ts';
import { cancelInvoice, invoiceTransitions } from '../records/invoice.ts';
import { findInvoice, putInvoice } from '../world/invoices.ts';
import type { HandlersOf } from './handler.ts';

export const invoiceOperations: HandlersOf<'invoices'> = {
  /** Refuses a second call, so that the first reason and time stay. */
  'invoices.cancel': ({ parameters: { id }, body }, world) => {
    const invoice = findInvoice(world, id);
    if (!invoiceTransitions[invoice.status].includes('cancelled')) {
      const message = `The invoice is ${invoice.status}; only one that is neither paid nor cancelled can be cancelled.`;
      throw new SandboxError('invoice_not_cancellable', message);
    }
    const at = toIso(world.clock.now());
    return putInvoice(world, cancelInvoice(invoice, body.cancellationReason, at));
  },
};
