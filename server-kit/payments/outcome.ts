import type { Outcome, PaymentStatus } from '../../src/contract/index.ts';
import type { Dialect } from '../api/dialect.ts';
import { requireReadableFees } from '../api/fees.ts';
import { type Payment, paymentFees } from '../api/payment.ts';
import { toCheckoutError } from '../errors/to-checkout-error.ts';
import type { Confirming, ObservedPayment, PaymentRecord } from '../stores/store.ts';
import type { IgnoredReason } from '../telemetry/log-event.ts';

/**
 * What the shopper sent, in minor units, whichever way the service counts its fees; `null` where it names no amount yet.
 *
 * @throws {CheckoutError} `service_rejected` where it cannot be told, because a fee could not be read
 */
function grossChargedAmount(payment: Payment, dialect: Readonly<Dialect>): number | null {
  const { chargedAmount } = payment;
  if (dialect.chargedAmountBasis === 'gross' || chargedAmount === null || chargedAmount <= 0) {
    return chargedAmount;
  }
  // Nothing is decided by the amount of what was taken back.
  if (payment.status === 'reversed') return chargedAmount;
  try {
    // The client need not know of it: the checkout may have this choice to itself.
    requireReadableFees(payment);
  } catch (cause) {
    throw toCheckoutError(cause);
  }
  return paymentFees.reduce((sum, fee) => sum + (payment[fee] ?? 0), chargedAmount);
}

/** Whether an answer of the service speaks of the payment that we recorded, in every respect that matters. */
export function isSamePayment(payment: Payment, record: PaymentRecord): boolean {
  return (
    payment.reference === record.reference &&
    payment.id === record.opened?.paymentId &&
    payment.liveMode === record.opened.liveMode &&
    payment.currency === record.amount.currency
  );
}

/**
 * What counts as paid; the only place that decides it. The service says `succeeded`, at least the amount that the
 * order costs has come, and the payment is the one that we recorded.
 */
export function isPaid(payment: Payment, record: PaymentRecord, dialect: Readonly<Dialect>): boolean {
  const due = Math.max(payment.expectedAmount, record.amount.value);
  return (
    payment.status === 'succeeded' &&
    (grossChargedAmount(payment, dialect) ?? 0) >= due &&
    isSamePayment(payment, record)
  );
}

function outcomeOf(payment: Payment, record: PaymentRecord, dialect: Readonly<Dialect>): Outcome {
  switch (payment.status) {
    case 'succeeded':
      // Without an amount nobody can tell a full payment from one that is short: the service will name it.
      if (payment.chargedAmount === null)
        return record.outcome === 'amountMismatch' ? 'amountMismatch' : 'pending';
      return isPaid(payment, record, dialect) ? 'paid' : 'amountMismatch';
    case 'expired':
      return 'expired';
    case 'failed':
      return 'failed';
    case 'reversed':
      return 'reversed';
    default:
      return 'pending';
  }
}

export type Merged = {
  /** The same object where nothing has changed. */
  record: PaymentRecord;
  /** Set where the response says something else than what is recorded, and is not believed. */
  ignored?: IgnoredReason;
};

/**
 * Merges a response of the service into the record. The lifecycle decides first: the full `succeeded` replaces every
 * unpaid status, and a reversal replaces `succeeded`, whatever their dates, because the clocks of a service's nodes differ.
 * Dates order what the lifecycle does not. A payment that was replaced stays so: money on it is not for its order.
 */
export function mergeObservation(
  record: PaymentRecord,
  payment: Payment,
  dialect: Readonly<Dialect>,
): Merged {
  const { status, updatedAt } = payment;
  // A response that names no amount takes away none that was named before.
  const chargedAmount = grossChargedAmount(payment, dialect) ?? record.observed?.chargedAmount ?? 0;
  const next = { status, updatedAt, chargedAmount };
  if (isSameObservation(record.observed, next))
    return { record: withOutcome(record, payment, next, dialect) };
  const isWhole = isPaid(payment, record, dialect);
  const ignored = reasonToIgnore(record, next, isWhole);
  return ignored === undefined
    ? { record: withOutcome(record, payment, next, dialect) }
    : { record, ignored };
}

function withOutcome(
  record: PaymentRecord,
  payment: Payment,
  next: ObservedPayment,
  dialect: Readonly<Dialect>,
): PaymentRecord {
  const outcome = nextOutcomeOf(record, payment, dialect);
  const confirming = confirmingOf(record, next, outcome);
  const isUnchanged = outcome === record.outcome && confirming === record.confirming;
  if (isUnchanged && isSameObservation(record.observed, next)) return record;
  const { confirming: _, isReversedUnpaid: wasReversedUnpaid, ...rest } = record;
  const wasPaid = record.outcome === 'paid' || record.observed?.status === 'succeeded';
  const isReversedUnpaid = next.status === 'reversed' && (wasReversedUnpaid ?? !wasPaid);
  return {
    ...rest,
    observed: next,
    outcome,
    ...(confirming && { confirming }),
    ...(isReversedUnpaid && { isReversedUnpaid: true as const }),
    ...outcomeDetails(record, next, outcome),
  };
}

const isSameObservation = (known: ObservedPayment | null, next: ObservedPayment): boolean =>
  known?.status === next.status &&
  known.updatedAt === next.updatedAt &&
  known.chargedAmount === next.chargedAmount;

/** @param isWhole whether the response says that the whole amount has come, and is confirmed */
function reasonToIgnore(
  { observed, outcome, isReversedUnpaid }: PaymentRecord,
  next: ObservedPayment,
  isWhole: boolean,
): IgnoredReason | undefined {
  if (observed?.status === 'reversed' && isReversedUnpaid !== true) return 'afterReversal';
  if (outcome === 'paid' && next.status === 'reversed') return undefined;
  if (outcome === 'paid' && next.status !== 'succeeded') return 'afterPaid';
  // Reversed without having been paid contradicts itself: whatever the service says next counts.
  if (observed === null || isReversedUnpaid) return undefined;
  // Where the record says the same already, only the date and the amount are left to be ordered.
  if (isWhole && observed.status !== 'succeeded') return undefined;
  if (holdsMoney(observed) && !holdsMoney(next) && next.status !== 'failed') return 'forgetsMoney';
  return isOlder(next, observed) ? 'older' : undefined;
}

/** When the outcome came about, and with how much: what the service says of the payment later does not change that. */
function outcomeDetails(
  known: PaymentRecord,
  { chargedAmount, updatedAt }: ObservedPayment,
  outcome: Outcome,
): Pick<PaymentRecord, 'outcomeAmount' | 'outcomeAt'> {
  const isKept = outcome === known.outcome || outcome === 'reversed';
  return {
    outcomeAmount: (isKept && known.outcomeAmount) || chargedAmount,
    outcomeAt: (isKept && known.outcomeAt) || updatedAt,
  };
}

/** What can follow each status in a payment's life; an unknown status has no place in it. */
const followers: Readonly<Record<string, readonly PaymentStatus[]>> = {
  initiated: ['awaiting_charge', 'charged', 'succeeded', 'failed', 'expired', 'reversed'],
  awaiting_charge: ['charged', 'succeeded', 'failed', 'expired', 'reversed'],
  expired: ['charged', 'succeeded', 'failed', 'reversed'],
  charged: ['succeeded', 'failed', 'reversed'],
  succeeded: ['reversed'],
};

const canFollow = (status: string, known: string): boolean =>
  followers[known]?.includes(status as PaymentStatus) === true;

/**
 * By the lifecycle, then by `updatedAt`, and where that is the same, less money is older. What names more money than any
 * response before is never older: a stale view cannot know of it.
 */
function isOlder(next: ObservedPayment, known: ObservedPayment): boolean {
  if (next.chargedAmount > known.chargedAmount) return false;
  const isLess = next.chargedAmount < known.chargedAmount;
  const ageMs = Date.parse(known.updatedAt) - Date.parse(next.updatedAt);
  // What ends a payment without money, and names less than was seen before, was made before that.
  if (canFollow(next.status, known.status)) return isLess && ageMs > 0 && emptyStatuses.has(next.status);
  if (canFollow(known.status, next.status)) return true;
  return ageMs > 0 || (ageMs === 0 && isLess);
}

function nextOutcomeOf(record: PaymentRecord, payment: Payment, dialect: Readonly<Dialect>): Outcome {
  if (record.outcome === 'replaced') return 'replaced';
  if (record.outcome === 'paid') return payment.status === 'reversed' ? 'reversed' : 'paid';
  return outcomeOf(payment, record, dialect);
}

/** The statuses in which a payment on which nothing was charged holds nothing. An unknown status may mean anything. */
const emptyStatuses: ReadonlySet<string> = new Set(['initiated', 'awaiting_charge', 'expired', 'failed']);

/** Money has come, and nobody is told of an outcome before the service has confirmed it. */
const confirmingOf = (
  { confirming }: PaymentRecord,
  { status, updatedAt }: ObservedPayment,
  outcome: Outcome,
): Confirming | undefined =>
  outcome === 'pending' && !emptyStatuses.has(status) ? (confirming ?? { since: updatedAt }) : undefined;

/** How long the service may take to confirm money, which is seconds as a rule, before the merchant is warned. */
const lateConfirmationMs = 15 * 60_000;

/** The record with the mark that its confirmation is late: the same object where it is not, or is marked already. */
export function markLateConfirmation(record: PaymentRecord, serviceNow: number): PaymentRecord {
  const { confirming } = record;
  if (confirming === undefined || confirming.isLate) return record;
  const isLate = serviceNow - Date.parse(confirming.since) >= lateConfirmationMs;
  return isLate ? { ...record, confirming: { ...confirming, isLate } } : record;
}

/** Whether a shopper's money may lie on this attempt, or has lain there. Such an attempt is never replaced. */
export const mayHoldMoney = ({ observed }: PaymentRecord): boolean =>
  observed !== null && holdsMoney(observed);

const holdsMoney = ({ chargedAmount, status }: ObservedPayment): boolean =>
  chargedAmount > 0 || !emptyStatuses.has(status);

/** Whether little can still happen that a shopper would wait for. */
export function isSettled({ outcome }: PaymentRecord): boolean {
  return outcome === 'paid' || outcome === 'failed' || outcome === 'reversed';
}
