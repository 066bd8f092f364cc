import type { Invoice, InvoiceCancelRequest } from '../../api/invoice.ts';
import type { Call } from '../request/call.ts';
import type { CallOptions } from '../request/call-options.ts';

/** Invoices (interface, section 4.8). */
export type InvoicesResource = {
  /**
   * 4.8: cancels an invoice, with a reason or without. Never sent again by itself: the service may refuse the second
   * cancellation of an invoice, and that would hide that the first was done.
   *
   * @throws {PaymentsError} `connection_lost` or `timeout` where it is not known whether the invoice is cancelled
   */
  cancel: (id: string, body?: InvoiceCancelRequest, options?: CallOptions) => Promise<Invoice>;
};

export function createInvoicesResource(call: Call): InvoicesResource {
  return { cancel: (id, body = {}, options) => call('invoices.cancel', { path: { id }, body }, options) };
}
