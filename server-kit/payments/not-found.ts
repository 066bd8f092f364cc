import type { PaymentRecord } from '../stores/payment-record.ts';

/** Nodes of a service may learn of a new payment seconds apart. */
const knownWithinMs = 10_000;

/**
 * Returns the record after a verification that did not find the payment: marked, the same object if it is marked already, or
 * `undefined` if the service may not know the payment yet.
 *
 * @param serviceNow the service's clock, in milliseconds since the epoch
 */
export function markNotFound(record: PaymentRecord, serviceNow: number): PaymentRecord | undefined {
  if (record.opened === null || record.notFoundSince !== undefined) return record;
  const isNew = serviceNow - Date.parse(record.opened.openedAt) < knownWithinMs;
  return isNew ? undefined : { ...record, notFoundSince: new Date(serviceNow).toISOString() };
}

/** Returns the record after a verification that found the payment; the same object if it was not marked. */
export function unmarkNotFound(record: PaymentRecord): PaymentRecord {
  if (record.notFoundSince === undefined) return record;
  const { notFoundSince: _, ...found } = record;
  return found;
}

/** Whether a shopper who may still pay must be told that the service does not know the payment. */
export const isNotFound = ({ notFoundSince, outcome }: PaymentRecord): boolean =>
  notFoundSince !== undefined && (outcome === 'pending' || outcome === 'expired');

/** Whether another payment may take the place of this one, because the service does not know it and no real money can be on it. */
export const isLostTestPayment = (record: PaymentRecord): boolean =>
  isNotFound(record) && record.opened?.liveMode === false;
