import type { Outcome } from '../src/contract/index.ts';
import type { Payment } from './api/payment.ts';
import type { Dialect } from './dialect.ts';
import type { PaymentRecord } from './stores/store.ts';

/** What the shopper sent, in minor units, whichever way the service counts its fees. */
export function grossChargedAmount(payment: Payment, dialect: Readonly<Dialect>): number {
  const fees = (payment.fee ?? 0) + (payment.vat ?? 0) + (payment.emtl ?? 0);
  const isNet = dialect.chargedAmountBasis === 'net' && payment.chargedAmount > 0;
  return payment.chargedAmount + (isNet ? fees : 0);
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
    grossChargedAmount(payment, dialect) >= due &&
    isSamePayment(payment, record)
  );
}

function outcomeOf(payment: Payment, record: PaymentRecord, dialect: Readonly<Dialect>): Outcome {
  switch (payment.status) {
    case 'succeeded':
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
 * older than what we know (`updatedAt`), or because the order is paid, after which only a reversal counts. An
 * attempt that was replaced stays so: what arrives on it is not what its order asks for now.
 */
export function mergeObservation(
  record: PaymentRecord,
  payment: Payment,
  dialect: Readonly<Dialect>,
): PaymentRecord {
  const { observed, outcome } = record;
  if (observed !== null && Date.parse(payment.updatedAt) < Date.parse(observed.updatedAt)) return record;
  if (outcome === 'paid' && payment.status !== 'succeeded' && payment.status !== 'reversed') return record;
  const { status, updatedAt } = payment;
  const next = { status, updatedAt, chargedAmount: grossChargedAmount(payment, dialect) };
  const nextOutcome = nextOutcomeOf(record, payment, dialect);
  const isUnchanged =
    observed?.status === status &&
    observed.updatedAt === updatedAt &&
    observed.chargedAmount === next.chargedAmount;
  return isUnchanged && nextOutcome === outcome
    ? record
    : { ...record, observed: next, outcome: nextOutcome };
}

function nextOutcomeOf(record: PaymentRecord, payment: Payment, dialect: Readonly<Dialect>): Outcome {
  if (record.outcome === 'replaced') return 'replaced';
  if (record.outcome === 'paid') return payment.status === 'reversed' ? 'reversed' : 'paid';
  return outcomeOf(payment, record, dialect);
}

/** Whether a shopper's money may lie on this attempt. Such an attempt is never replaced by another account. */
export function mayHoldMoney(record: PaymentRecord): boolean {
  const { outcome, observed } = record;
  return outcome === 'paid' || outcome === 'amountMismatch' || (observed?.chargedAmount ?? 0) > 0;
}

/** Whether looking again on a shopper's behalf can change nothing for the shopper. */
export function isSettled({ outcome }: PaymentRecord): boolean {
  return outcome === 'paid' || outcome === 'failed' || outcome === 'reversed';
}
