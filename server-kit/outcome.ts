import { type Outcome, type PaymentStatus, paymentStatuses } from '../src/contract/index.ts';
import { type Payment, paymentFees } from './api/payment.ts';
import type { Dialect } from './dialect.ts';
import { refuseLostFees } from './lost-fees.ts';
import type { Confirming, ObservedPayment, PaymentRecord } from './stores/store.ts';
import { toCheckoutError } from './upstream-error.ts';

/**
 * What the shopper sent, in minor units, whichever way the service counts its fees; `null` where it names no amount yet.
 *
 * @throws {CheckoutError} `service_rejected` where it cannot be told, because a fee could not be read
 */
function grossChargedAmount(payment: Payment, dialect: Readonly<Dialect>): number | null {
  const { chargedAmount } = payment;
  if (dialect.chargedAmountBasis === 'gross' || chargedAmount === null || chargedAmount <= 0)
    return chargedAmount;
  try {
    // The client need not know of it: the checkout may have this choice to itself.
    refuseLostFees(payment);
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
      if (payment.chargedAmount === null) return 'pending';
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

/**
 * The record after an answer of the service, or the same object when the answer changes nothing: because it is
 * older than what we know, because the order is paid, after which only a reversal counts, or because it was
 * reversed, after which nothing does. An attempt that was replaced stays so: what arrives on it is not what its order
 * asks for now.
 */
export function mergeObservation(
  record: PaymentRecord,
  payment: Payment,
  dialect: Readonly<Dialect>,
): PaymentRecord {
  const { observed, outcome } = record;
  const { status, updatedAt } = payment;
  // An answer that names no amount takes away none that was named before.
  const chargedAmount = grossChargedAmount(payment, dialect) ?? observed?.chargedAmount ?? 0;
  const next = { status, updatedAt, chargedAmount };
  if (outcome === 'reversed' || (observed !== null && isOlder(next, observed))) return record;
  if (outcome === 'paid' && status !== 'succeeded' && status !== 'reversed') return record;
  const nextOutcome = nextOutcomeOf(record, payment, dialect);
  const confirming = confirmingOf(record, next, nextOutcome);
  const isUnchanged =
    observed?.status === status &&
    observed.updatedAt === updatedAt &&
    observed.chargedAmount === next.chargedAmount;
  if (isUnchanged && nextOutcome === outcome && confirming === record.confirming) return record;
  const { confirming: _, ...rest } = record;
  const merged = { ...rest, observed: next, outcome: nextOutcome, ...(confirming && { confirming }) };
  return { ...merged, ...outcomeDetails(record, next, nextOutcome) };
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

/**
 * By `updatedAt`. Where that is the same: a reversal is newer; less money is older, more is newer; with the same, a
 * status that comes earlier in a payment's life is older.
 */
function isOlder(next: ObservedPayment, known: ObservedPayment): boolean {
  const ageMs = Date.parse(known.updatedAt) - Date.parse(next.updatedAt);
  if (ageMs !== 0) return ageMs > 0;
  // Nothing comes after it, and it may take the money with it.
  if (next.status === 'reversed') return false;
  if (next.chargedAmount !== known.chargedAmount) return next.chargedAmount < known.chargedAmount;
  const [nextRank, knownRank] = [next, known].map(({ status }) =>
    paymentStatuses.indexOf(status as PaymentStatus),
  );
  return nextRank !== -1 && (nextRank ?? 0) < (knownRank ?? 0);
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
export function mayHoldMoney({ observed }: PaymentRecord): boolean {
  return observed !== null && (observed.chargedAmount > 0 || !emptyStatuses.has(observed.status));
}

/** Whether little can still happen that a shopper would wait for. */
export function isSettled({ outcome }: PaymentRecord): boolean {
  return outcome === 'paid' || outcome === 'failed' || outcome === 'reversed';
}
