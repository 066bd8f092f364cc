import * as v from 'valibot';
import { CallbackUrl, Identifier, WebUrl } from '../../../client/api/fields.ts';
import { type InvoiceStatus, invoiceFields } from '../../../client/api/invoice.ts';
import { toIso } from '../clock/iso.ts';
import { invalidParams, SandboxError } from '../errors/sandbox-error.ts';
import type { NewRecordParts } from '../identifiers/mint.ts';
import { WholeNumber, wholeNumberUpTo } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import {
  createSeedSchema,
  overlay,
  type RecordOf,
  refuseFieldsOfOtherStatuses,
  type SeedOf,
} from '../input/seed.ts';
import { checkTransition, type Transitions } from './transitions.ts';

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

/**
 * Creates an invoice. Its amounts must agree with each other and with its status.
 *
 * @throws {SandboxError} 422 `validation_failed`
 */
export function createInvoice(
  input: InvoiceSeed,
  { mint, nowMs, invoiceCount }: NewRecordParts & { invoiceCount: number },
): SandboxInvoice {
  const seed = parseInput(InvoiceSeed, input);
  const paid = paidSoFar(seed);
  const sums = sumsOf(seed);
  refuseOtherAmounts(seed, { ...paid, ...sums });
  refuseFieldsOfOtherStatuses(seed, paid.status, {
    paidAt: 'paid',
    cancelledAt: 'cancelled',
    cancellationReason: 'cancelled',
  });
  return overlay<SandboxInvoice>(
    {
      id: mint.id('inv'),
      description: null,
      currency: 'NGN',
      maxInstallments: null,
      number: `INV-${String(invoiceCount + 1).padStart(6, '0')}`,
      reference: mint.id('ref'),
      acceptPartialPayments: true,
      amountDue: seed.amountDue,
      ...paid,
      ...sums,
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
      paidAt: paid.status === 'paid' ? toIso(nowMs) : null,
      cancelledAt: paid.status === 'cancelled' ? toIso(nowMs) : null,
      liveMode: false,
    },
    seed,
  );
}

type Paid = Pick<SandboxInvoice, 'status' | 'amountPaid' | 'amountRemaining' | 'amountOverpaid'>;

/**
 * Returns the paid amounts of a seed and the status that follows from them. An unpaid draft stays a draft, and a
 * cancelled invoice that is not fully paid stays cancelled.
 */
function paidSoFar(seed: SeedOf<typeof invoiceFields> & { amountDue: number }): Paid {
  const amountPaid = seed.amountPaid ?? (seed.status === 'paid' ? seed.amountDue : 0);
  const paid = payUp(seed.amountDue, amountPaid);
  const keepsStatus =
    (seed.status === 'cancelled' && paid.status !== 'paid') || (seed.status === 'draft' && amountPaid === 0);
  if (keepsStatus) return { ...paid, status: seed.status ?? paid.status };
  if ((seed.status ?? paid.status) === paid.status) return paid;
  throw invalidParams(
    ['status', 'amountPaid'],
    `Correct the request: an invoice of which ${amountPaid} of ${seed.amountDue} is paid is ${paid.status}.`,
  );
}

function payUp(amountDue: number, amountPaid: number): Paid {
  const amountRemaining = Math.max(0, amountDue - amountPaid);
  const unpaid = amountPaid === 0 ? 'open' : 'partially_paid';
  return {
    status: amountRemaining === 0 ? 'paid' : unpaid,
    amountPaid,
    amountRemaining,
    amountOverpaid: Math.max(0, amountPaid - amountDue),
  };
}

/** The amount due is the sub-total plus exclusive tax; the sub-total includes the inclusive tax. */
function sumsOf({ amountDue, ...seed }: SeedOf<typeof invoiceFields> & { amountDue: number }) {
  const totalExclusiveTaxAmount =
    seed.totalExclusiveTaxAmount ?? Math.max(0, amountDue - (seed.subTotal ?? amountDue));
  const subTotal = amountDue - totalExclusiveTaxAmount;
  const totalInclusiveTaxAmount = seed.totalInclusiveTaxAmount ?? 0;
  if (subTotal < 0) throw taxAbove('totalExclusiveTaxAmount', amountDue);
  if (totalInclusiveTaxAmount > subTotal) throw taxAbove('totalInclusiveTaxAmount', subTotal);
  return { subTotal, totalInclusiveTaxAmount, totalExclusiveTaxAmount };
}

const taxAbove = (param: string, most: number): SandboxError =>
  invalidParams([param], `Correct the request: ${param}: must be at most ${most} by the other amounts.`);

function refuseOtherAmounts(seed: object, amounts: object): void {
  const given = new Map<string, unknown>(Object.entries(seed));
  const faults = Object.entries(amounts).filter(([name, amount]) => (given.get(name) ?? amount) !== amount);
  if (faults.length === 0) return;
  const text = faults.map(([name, amount]) => `${name}: must be ${amount} by the other amounts`).join('; ');
  throw invalidParams(
    faults.map(([name]) => name),
    `Correct the request: ${text}.`,
  );
}

/**
 * Returns the invoice after a payment in minor units. It accepts more than the remaining amount, as overpaid.
 *
 * @throws {SandboxError} 409 `invoice_not_payable`, `partial_payment_refused`
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
export function cancelInvoice(
  invoice: SandboxInvoice,
  cancellationReason: string | undefined,
  at: string,
): SandboxInvoice {
  return {
    ...invoice,
    status: 'cancelled',
    cancellationReason: cancellationReason ?? null,
    cancelledAt: at,
  };
}

/** @throws {SandboxError} 409 `transition_not_allowed` */
export const checkInvoiceTransition = (from: InvoiceStatus, to: InvoiceStatus): void =>
  checkTransition('An invoice', invoiceTransitions, { from, to });
