import * as v from 'valibot';
import { CallbackUrl, Identifier, WebUrl } from '../../../core/fields.ts';
import { type InvoiceStatus, invoiceFields } from '../../../service/invoice.ts';
import { invalidParams, SandboxError } from '../errors.ts';
import { parseInput, WholeNumber, wholeNumberUpTo } from '../input/fields.ts';
import { createSeedSchema, overlay, type RecordOf } from '../input/seed.ts';
import { toIso } from '../state/clock.ts';
import type { NewRecordParts } from '../state/mint.ts';
import type { Transitions } from './transitions.ts';

/** A stored invoice (2.6). Amounts are in minor units. */
export type SandboxInvoice = RecordOf<
  typeof invoiceFields,
  'status' | 'reference' | 'amountDue' | 'amountPaid' | 'amountOverpaid' | 'amountRemaining'
>;

export const invoiceTransitions: Transitions<InvoiceStatus> = {
  draft: ['open', 'cancelled'],
  open: ['partially_paid', 'paid', 'cancelled'],
  partially_paid: ['paid', 'cancelled'],
  paid: [],
  cancelled: [],
};

/** Ten years; a later due date is probably a mistake. */
const maxDaysUntilDue = 3_650;
const maxInstallments = 1_000;

/** Any field of 2.6; only `amountDue` is required. Amounts are in minor units. */
export const InvoiceSeed = createSeedSchema(invoiceFields, {
  amountDue: WholeNumber,
  reference: v.nullish(Identifier),
  callbackUrl: v.nullish(CallbackUrl),
  returnUrl: v.nullish(WebUrl),
  daysUntilDue: v.nullish(wholeNumberUpTo(maxDaysUntilDue)),
  maxInstallments: v.nullish(
    v.pipe(WholeNumber, v.maxValue(maxInstallments, `must be at most ${maxInstallments}`)),
  ),
});
export type InvoiceSeed = v.InferInput<typeof InvoiceSeed>;

const daysUntilDue = 30;
const dayMs = 86_400_000;

/** Creates an invoice. Its status follows from what is paid, unless the seed has one. Throws 422 `validation_failed` */
export function createInvoice(
  input: InvoiceSeed,
  { mint, nowMs, invoiceCount }: NewRecordParts & { invoiceCount: number },
): SandboxInvoice {
  const seed = parseInput(InvoiceSeed, input);
  const { amountDue } = seed;
  const paid = payUp(amountDue, seed.amountPaid ?? (seed.status === 'paid' ? amountDue : 0));
  const status = seed.status ?? paid.status;
  return overlay<SandboxInvoice>(
    {
      id: mint.id('inv'),
      description: null,
      currency: 'NGN',
      maxInstallments: null,
      number: `INV-${String(invoiceCount + 1).padStart(6, '0')}`,
      reference: mint.id('ref'),
      acceptPartialPayments: true,
      amountDue,
      ...paid,
      subTotal: amountDue - (seed.totalExclusiveTaxAmount ?? 0),
      totalInclusiveTaxAmount: 0,
      totalExclusiveTaxAmount: 0,
      customerId: null,
      sendEmail: false,
      cancellationReason: null,
      taxRateIds: [],
      logo: null,
      invoicePdf: null,
      receiptPdf: null,
      callbackUrl: null,
      returnUrl: null,
      metadata: {},
      daysUntilDue,
      dueDate: toIso(nowMs + (seed.daysUntilDue ?? daysUntilDue) * dayMs),
      paidAt: status === 'paid' ? toIso(nowMs) : null,
      cancelledAt: status === 'cancelled' ? toIso(nowMs) : null,
      liveMode: false,
    },
    seed,
  );
}

function payUp(amountDue: number, amountPaid: number) {
  const amountRemaining = Math.max(0, amountDue - amountPaid);
  const unpaid = amountPaid === 0 ? ('open' as const) : ('partially_paid' as const);
  return {
    status: amountRemaining === 0 ? ('paid' as const) : unpaid,
    amountPaid,
    amountRemaining,
    amountOverpaid: Math.max(0, amountPaid - amountDue),
  };
}

/**
 * Returns the invoice after a payment in minor units. It accepts more than the remaining amount, as overpaid. Throws 409
 * `invoice_not_payable`, `partial_payment_refused`
 */
export function payInvoice(invoice: SandboxInvoice, amount: number, at: string): SandboxInvoice {
  const { status, amountDue, amountRemaining, acceptPartialPayments } = invoice;
  if (status !== 'open' && status !== 'partially_paid') {
    const message = `The invoice is ${status}; only an invoice that is open or partially_paid can be paid.`;
    throw new SandboxError('invoice_not_payable', message);
  }
  if (amount < amountRemaining && acceptPartialPayments === false) {
    const message = `The invoice accepts no partial payments; pay the remaining ${amountRemaining} minor units.`;
    throw new SandboxError('partial_payment_refused', message, { params: ['amount'] });
  }
  const amountPaid = invoice.amountPaid + amount;
  if (!Number.isSafeInteger(amountPaid)) {
    throw invalidParams(['amount'], 'Correct the request: amount: is more than an invoice can hold.');
  }
  const paid = payUp(amountDue, amountPaid);
  return { ...invoice, ...paid, ...(paid.status === 'paid' && { paidAt: at }) };
}

/** Returns the cancelled invoice. The caller has checked the transition. */
export const cancelInvoice = (
  invoice: SandboxInvoice,
  reason: string | undefined,
  at: string,
): SandboxInvoice => ({
  ...invoice,
  status: 'cancelled',
  cancellationReason: reason ?? null,
  cancelledAt: at,
});
