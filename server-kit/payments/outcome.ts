import type { Outcome } from '../../src/contract/index.ts';
import type { Dialect } from '../api/dialect.ts';
import { type Payment, paymentFees } from '../api/payment.ts';
import type { ObservedPayment, PaymentRecord } from '../stores/payment-record.ts';
import { isLostTestPayment } from './not-found.ts';

/**
 * Returns what the shopper sent, in minor units, whichever way the service counts its fees; `null` if the response names no
 * amount yet. The client has refused a payment with an unreadable fee that is needed here.
 */
export function grossChargedAmount(payment: Payment, dialect: Readonly<Dialect>): number | null {
  const { chargedAmount } = payment;
  if (dialect.chargedAmountBasis === 'gross' || chargedAmount === null || chargedAmount <= 0) {
    return chargedAmount;
  }
  // The amount of a reversal decides nothing.
  if (payment.status === 'reversed') return chargedAmount;
  return paymentFees.reduce((sum, fee) => sum + (payment[fee] ?? 0), chargedAmount);
}

/** Whether a response describes the recorded payment: reference, id, mode and currency. */
export function isSamePayment(payment: Payment, record: PaymentRecord): boolean {
  return (
    payment.reference === record.reference &&
    payment.id === record.opened?.paymentId &&
    payment.liveMode === record.opened.liveMode &&
    payment.currency === record.amount.currency
  );
}

/**
 * Decides whether a payment is paid; nothing else does. The service says `succeeded`, at least the order's amount was
 * charged, and the payment is the recorded one.
 */
export function isPaid(payment: Payment, record: PaymentRecord, dialect: Readonly<Dialect>): boolean {
  const due = Math.max(payment.expectedAmount, record.amount.value);
  return (
    payment.status === 'succeeded' &&
    (grossChargedAmount(payment, dialect) ?? 0) >= due &&
    isSamePayment(payment, record)
  );
}

/** Returns the outcome that a response means for the recorded payment. */
export function outcomeOf(payment: Payment, record: PaymentRecord, dialect: Readonly<Dialect>): Outcome {
  switch (payment.status) {
    case 'succeeded':
      // Without an amount, a full payment looks the same as a partial one: the service will name it later.
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

/** The statuses in which a payment without a charge holds no money. An unknown status may mean anything. */
export const emptyStatuses: ReadonlySet<string> = new Set([
  'initiated',
  'awaiting_charge',
  'expired',
  'failed',
]);

export const holdsMoney = ({ chargedAmount, status }: ObservedPayment): boolean =>
  chargedAmount > 0 || !emptyStatuses.has(status);

/** Whether a shopper's money may be, or has been, on this payment. Such a payment is never replaced. */
export const mayHoldMoney = (record: PaymentRecord): boolean =>
  record.observed !== null && holdsMoney(record.observed) && !isLostTestPayment(record);

/** Whether the payment ended unpaid. Money may still arrive. */
export const isOver = ({ outcome }: PaymentRecord): boolean => outcome === 'expired' || outcome === 'failed';

/** Whether this payment has paid its order, even if its money was taken back since. */
export const hasPaid = ({ outcome, wasPaid }: PaymentRecord): boolean =>
  outcome === 'paid' || wasPaid === true;

/** Whether nothing more is likely to happen that a shopper would wait for. */
export function isSettled({ outcome }: PaymentRecord): boolean {
  return outcome === 'paid' || outcome === 'failed' || outcome === 'reversed';
}
