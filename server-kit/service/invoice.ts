import * as v from 'valibot';
import type { CallOptions } from '../core/call.ts';
import type { PaymentsClient } from '../core/client.ts';
import { currencies, Metadata, NonEmptyText, oneOf, Timestamp, WireAmount } from '../core/fields.ts';
import { amountsIn, type DocumentedEndpoint, lenientFields, recordFields } from './fields.ts';

export const invoiceStatuses = ['draft', 'open', 'paid', 'partially_paid', 'cancelled'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** Interface, section 4.8: the body of POST /v1/invoices/{id}/cancel. The interface does not say whether the reason is required. */
export const InvoiceCancelRequest = v.strictObject({ cancellationReason: v.optional(NonEmptyText) });
export type InvoiceCancelRequest = v.InferInput<typeof InvoiceCancelRequest>;

const { liveMode } = recordFields;

/** Interface, section 2.6: every field but the id. */
export const invoiceFields = {
  status: oneOf(invoiceStatuses),
  description: v.string(),
  currency: oneOf(currencies),
  maxInstallments: v.number(),
  number: v.string(),
  reference: v.string(),
  acceptPartialPayments: v.boolean(),
  amountDue: WireAmount,
  amountPaid: WireAmount,
  amountOverpaid: WireAmount,
  amountRemaining: WireAmount,
  subTotal: WireAmount,
  customerId: v.string(),
  sendEmail: v.boolean(),
  totalInclusiveTaxAmount: WireAmount,
  totalExclusiveTaxAmount: WireAmount,
  cancellationReason: v.string(),
  taxRateIds: v.array(v.string()),
  logo: v.string(),
  invoicePdf: v.string(),
  receiptPdf: v.string(),
  callbackUrl: v.string(),
  returnUrl: v.string(),
  metadata: Metadata,
  daysUntilDue: v.number(),
  dueDate: Timestamp,
  paidAt: Timestamp,
  cancelledAt: Timestamp,
  liveMode,
};

export const invoiceAmounts = amountsIn(invoiceFields);

/** Interface, section 2.6: an invoice. */
export const Invoice = v.looseObject({ id: NonEmptyText, ...lenientFields(invoiceFields) });
export type Invoice = v.InferOutput<typeof Invoice>;

export const invoiceEndpoints = {
  'invoices.cancel': {
    operation: 'invoices.cancel',
    section: '4.8',
    summary: 'Cancels an invoice that is not paid',
    method: 'POST',
    path: '/v1/invoices/{id}/cancel',
    auth: 'signature',
    request: v.optional(InvoiceCancelRequest),
    response: Invoice,
    amounts: { response: invoiceAmounts },
  },
} as const satisfies Record<string, DocumentedEndpoint>;

/** 4.8: cancels an invoice that is not paid. Never retried, because a repeat would be refused, and hide that the first succeeded. */
export const cancelInvoice = (
  client: PaymentsClient,
  id: string,
  body: InvoiceCancelRequest = {},
  of?: CallOptions,
): Promise<Invoice> => client.call(invoiceEndpoints['invoices.cancel'], { path: { id }, body }, of);
