/** What may happen to the money of an order. */
const orderOutcomes = [
  'paid',
  'failed',
  'expired',
  'reversed',
  'amountMismatch',
  'unexpectedMoney',
  'unexpectedMoneyReversed',
] as const;
export type OrderOutcome = (typeof orderOutcomes)[number];

/** What may happen to money that no order of ours expects. */
const unmatchedOutcomes = ['unmatchedMoney', 'unmatchedMoneyReversed'] as const;

/** The outcomes of which a merchant is notified. */
export const outboxOutcomes = [...orderOutcomes, ...unmatchedOutcomes] as const;
export type OutboxOutcome = (typeof outboxOutcomes)[number];

/**
 * Why money is unexpected:
 *
 * - `orderPaid`: another payment has paid the order
 * - `replacedAccount`: it came to an account that no longer counts for the order, or was never shown
 * - `tooLittle`: the payment has ended with less than the order costs
 * - `surplus`: it came to the payment that had paid the order already
 * - `afterReversal`: it came to the payment that had paid the order, after that money was taken back
 */
export type UnexpectedReason = 'orderPaid' | 'replacedAccount' | 'tooLittle' | 'surplus' | 'afterReversal';

/** One outcome, of which the merchant's handler is notified once. It is written with the record that counts it. */
export type NewEvent = {
  /** The idempotency key: unique, and the same for every run of the handler. */
  key: string;
  /** `null` for an unmatched payment. */
  orderId: string | null;
  /** The number of the event within its order, or its unmatched payment, from 0. */
  position: number;
  outcome: OutboxOutcome;
  /** The payment that caused the event. */
  reference: string;
  /** The confirmed money that has come or gone, in minor units; 0 for `expired` and `failed`. */
  amount: number;
  /** For `unexpectedMoney`. */
  reason: UnexpectedReason | null;
  /** For `paid`: whether the money was confirmed after the account had expired. */
  isLate: boolean;
};
