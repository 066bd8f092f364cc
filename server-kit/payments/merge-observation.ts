import type { Outcome, PaymentStatus } from '../../src/contract/index.ts';
import type { Dialect } from '../api/dialect.ts';
import type { Payment } from '../api/payment.ts';
import type { Confirming, ObservedPayment, PaymentRecord } from '../stores/payment-record.ts';
import type { IgnoredReason } from '../telemetry/log-event.ts';
import { emptyStatuses, grossChargedAmount, holdsMoney, isOver, isPaid, outcomeOf } from './outcome.ts';

export type Merged = {
  /** The same object if nothing has changed. */
  record: PaymentRecord;
  /** Set if the response contradicts the record and is ignored. */
  ignored?: IgnoredReason;
};

/**
 * Merges a response of the service into the record. The lifecycle decides first: a full `succeeded` replaces every unpaid
 * status, and a reversal replaces `succeeded`, whatever their dates, because the clocks of the service's nodes differ. Dates
 * order what the lifecycle does not. A replaced payment stays replaced: money on it is not for its order.
 */
export function mergeObservation(
  record: PaymentRecord,
  payment: Payment,
  dialect: Readonly<Dialect>,
): Merged {
  const { status, updatedAt } = payment;
  // A response without an amount does not erase an earlier one.
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
  const hadSucceeded = record.outcome === 'paid' || record.observed?.status === 'succeeded';
  const isReversedUnpaid = next.status === 'reversed' && (wasReversedUnpaid ?? !hadSucceeded);
  const reportedAmount = isOver(record) && record.observed?.chargedAmount;
  return {
    ...rest,
    observed: next,
    outcome,
    ...(confirming && { confirming }),
    ...(reportedAmount && { reportedAmount }),
    ...(record.outcome === 'paid' && outcome === 'reversed' && { wasPaid: true as const }),
    ...(isReversedUnpaid && { isReversedUnpaid: true as const }),
    ...outcomeDetails(record, next, outcome),
  };
}

const isSameObservation = (known: ObservedPayment | null, next: ObservedPayment): boolean =>
  known?.status === next.status &&
  known.updatedAt === next.updatedAt &&
  known.chargedAmount === next.chargedAmount;

/** @param isWhole whether the response confirms the whole amount */
function reasonToIgnore(
  { observed, outcome, isReversedUnpaid }: PaymentRecord,
  next: ObservedPayment,
  isWhole: boolean,
): IgnoredReason | undefined {
  if (observed?.status === 'reversed' && isReversedUnpaid !== true) return 'afterReversal';
  if (outcome === 'paid' && next.status === 'reversed') return undefined;
  if (outcome === 'paid' && next.status !== 'succeeded') return 'afterPaid';
  // A reversal without a payment contradicts itself, so the next response counts.
  if (observed === null || isReversedUnpaid) return undefined;
  // With the same status, only the date and the amount can differ.
  if (isWhole && observed.status !== 'succeeded') return undefined;
  if (holdsMoney(observed) && !holdsMoney(next) && next.status !== 'failed') return 'forgetsMoney';
  return isOlder(next, observed) ? 'older' : undefined;
}

/** Returns when the outcome came about, and with which amount; later responses do not change that. */
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

/** The statuses that can follow each status; an unknown status has no place in the lifecycle. */
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
 * Orders two observations by the lifecycle, then by `updatedAt`, then by amount (less money is older). An observation with
 * more money than any before is never older: a stale view cannot know of it.
 */
function isOlder(next: ObservedPayment, known: ObservedPayment): boolean {
  if (next.chargedAmount > known.chargedAmount) return false;
  const isLess = next.chargedAmount < known.chargedAmount;
  const ageMs = Date.parse(known.updatedAt) - Date.parse(next.updatedAt);
  // An end without money, with less than was seen before and an earlier date, is a stale view.
  if (canFollow(next.status, known.status)) return isLess && ageMs > 0 && emptyStatuses.has(next.status);
  if (canFollow(known.status, next.status)) return true;
  return ageMs > 0 || (ageMs === 0 && isLess);
}

function nextOutcomeOf(record: PaymentRecord, payment: Payment, dialect: Readonly<Dialect>): Outcome {
  if (record.outcome === 'replaced') return 'replaced';
  if (record.outcome === 'paid') return payment.status === 'reversed' ? 'reversed' : 'paid';
  return outcomeOf(payment, record, dialect);
}

/** Money has arrived, and no outcome is reported before the service has confirmed it. */
const confirmingOf = (
  { confirming }: PaymentRecord,
  { status, updatedAt }: ObservedPayment,
  outcome: Outcome,
): Confirming | undefined =>
  outcome === 'pending' && !emptyStatuses.has(status) ? (confirming ?? { since: updatedAt }) : undefined;

/** The service usually confirms money within seconds; after this time the merchant is warned. */
const lateConfirmationMs = 15 * 60_000;

/** Marks a record whose confirmation is late. Returns the same object if it is not late, or already marked. */
export function markLateConfirmation(record: PaymentRecord, serviceNow: number): PaymentRecord {
  const { confirming } = record;
  if (confirming === undefined || confirming.isLate) return record;
  const isLate = serviceNow - Date.parse(confirming.since) >= lateConfirmationMs;
  return isLate ? { ...record, confirming: { ...confirming, isLate } } : record;
}
