import type { Observation, Order, Payment } from './order.ts';
import type { UnmatchedPayment } from './unmatched.ts';

/** What is stored as one record, and verified in the background. */
export type Watched = Order | UnmatchedPayment;

export const isOrder = (record: Watched): record is Order => 'payments' in record;

/** Returns the id under which an order is stored, which is never that of an unmatched payment. */
export const idOfOrder = (orderId: string): string => `order:${orderId}`;

/** Returns the id under which a record is stored. */
export const idOf = (record: Watched): string =>
  isOrder(record) ? idOfOrder(record.orderId) : `unmatched:${record.reference}`;

export const paymentsOf = (record: Watched): readonly (Payment | UnmatchedPayment)[] =>
  isOrder(record) ? record.payments : [record];

/** Returns what the service has said of a payment; `null` for nothing. */
export const observationOf = (payment: Payment | UnmatchedPayment): Observation | null =>
  payment.state === 'opening' ? null : payment.observed;

export const referencesOf = (record: Watched): string[] =>
  paymentsOf(record).map(({ reference }) => reference);
