import type { Invoice, InvoiceCancelRequest } from '../api/invoice.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { Call } from '../request/call.ts';

/** Invoices (interface, section 4.8). */
export type InvoicesResource = {
  /**
   * 4.8: cancels an invoice, with an optional reason. Never retried: the service may refuse a second cancellation, which
   * would hide that the first succeeded.
   *
   * @throws {PaymentsError} `connection_lost` or `timeout` if the invoice may or may not be cancelled
   */
  cancel: (id: string, body?: InvoiceCancelRequest, options?: CallOptions) => Promise<Invoice>;
};

export function createInvoicesResource(call: Call): InvoicesResource {
  return { cancel: (id, body = {}, options) => call('invoices.cancel', { path: { id }, body }, options) };
}
