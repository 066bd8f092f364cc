import { toIso } from '../clock/iso.ts';
import { found, SandboxError } from '../errors/sandbox-error.ts';
import { cancelInvoice, invoiceTransitions, keepInvoice, type SandboxInvoice } from '../records/invoice.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { HandlersOf } from './handler.ts';

export const invoiceOperations: HandlersOf<'invoices'> = {
  /** A second time is refused too: the first reason and moment stay, and no caller takes them for its own. */
  'invoices.cancel': ({ parameters: { id }, body }, world) => {
    const invoice = findInvoice(world, id);
    if (!invoiceTransitions[invoice.status].includes('cancelled')) {
      const message = `The invoice is ${invoice.status}; only one that is neither paid nor cancelled can be cancelled.`;
      throw new SandboxError('invoice_not_cancellable', message);
    }
    const at = toIso(world.clock.now());
    return keepInvoice(world, cancelInvoice(invoice, body.cancellationReason, at));
  },
};

/** @throws {SandboxError} 404 `invoice_not_found` */
export function findInvoice({ state }: SandboxWorld, id: string): SandboxInvoice {
  const message = `No invoice has the id "${id}"; make one with POST /_sandbox/invoices.`;
  return found(state.invoices.get(id), 'invoice_not_found', message);
}
