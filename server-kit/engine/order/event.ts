/** What may happen to the money of an order. The merchant is notified of each. */
export const outboxOutcomes = [
  'paid',
  'failed',
  'expired',
  'reversed',
  'amountMismatch',
  'unexpectedMoney',
  'unexpectedMoneyReversed',
  'otherPayment',
] as const;
export type OrderOutcome = (typeof outboxOutcomes)[number];

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

/** What has happened to the money of an order. `amount`: the confirmed money that has come or gone, in minor units; 0 for none. */
export type Movement = { amount: number } & (
  | { outcome: Exclude<OrderOutcome, 'paid' | 'unexpectedMoney'> }
  /** `isLate`: whether the money was confirmed after the account had expired. */
  | { outcome: 'paid'; isLate: boolean }
  | { outcome: 'unexpectedMoney'; reason: UnexpectedReason }
);

/** What an event is called, and what it is about. */
export type EventNames = {
  /** The idempotency key: unique, and the same for every run of the handler. */
  key: string;
  orderId: string;
  outcome: OrderOutcome;
  /** The payment that caused the event. */
  reference: string;
};

/** One outcome, of which the merchant's handler is notified once. It is written with the record that counts it. */
export type NewEvent = EventNames & {
  /** The number of the event within its order, from 0. */
  position: number;
} & Movement;
