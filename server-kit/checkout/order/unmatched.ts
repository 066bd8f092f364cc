import type { NewEvent } from './event.ts';
import { mergeObservation, type Observed } from './merge.ts';
import { confirmedAmount, isEmptied } from './money.ts';
import type { Observation } from './order.ts';
import { type ServiceResponse, toObservation } from './response.ts';

/**
 * A payment at the service that no order of ours expects: money on a dedicated account, or a payment that was made by other means. It
 * has no order and no amount to compare with.
 */
export type UnmatchedPayment = {
  state: 'unmatched';
  /** The service's own reference of the payment. */
  reference: string;
  paymentId: string;
  currency: string;
  liveMode: boolean;
  /** How it was made (interface, section 2.5): `dedicated_virtual_account`, for example. */
  paymentMethod: string | null;
  customerId: string | null;
  /** ISO 8601 in UTC, on the service's clock. */
  createdAt: string;
  observed: Observation | null;
  /** The confirmed money of which the merchant was notified, in minor units, and the number of events. */
  reported: { amount: number; events: number };
};

/** Merges a response of the service. The same object if nothing has changed. */
export function observeUnmatched(
  payment: UnmatchedPayment,
  response: ServiceResponse,
): Observed<UnmatchedPayment> {
  const { paymentId, currency, liveMode, observed } = payment;
  const isSame =
    response.paymentId === paymentId && response.currency === currency && response.liveMode === liveMode;
  if (!isSame) return { record: payment, ignored: 'otherPayment' };
  const merged = mergeObservation(observed, toObservation(response, observed), { value: 0, currency });
  return {
    record: merged.record === observed ? payment : { ...payment, observed: merged.record },
    ignored: merged.ignored,
  };
}

/** Returns the event that is missing, if any, and the payment that counts it: both are written together. */
export function reportUnmatched(payment: UnmatchedPayment): {
  record: UnmatchedPayment;
  events: NewEvent[];
} {
  const { reference, observed, reported } = payment;
  if (observed === null) return { record: payment, events: [] };
  const confirmed = confirmedAmount(observed);
  const isReversal = isEmptied(observed);
  const amount = isReversal ? reported.amount : Math.max(0, (confirmed ?? 0) - reported.amount);
  if (amount === 0) return { record: payment, events: [] };
  const outcome = isReversal ? 'unmatchedMoneyReversed' : 'unmatchedMoney';
  const position = reported.events;
  const key = `${outcome}:${reference}:${position + 1}`;
  const event: NewEvent = { key, orderId: null, position, outcome, reference, amount };
  const total = reported.amount + (isReversal ? -amount : amount);
  return { record: { ...payment, reported: { amount: total, events: position + 1 } }, events: [event] };
}
