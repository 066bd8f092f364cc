import type { Dialect } from '../../client/api/dialect.ts';
import type { Payment as ServicePayment } from '../../client/api/payment.ts';
import { grossAmount } from '../../client/platform/money.ts';
import { isUnconfirmed } from './money.ts';
import type { Observation } from './order.ts';

/** What the service says of a payment, reduced to what an order is decided by. */
export type ServiceResponse = {
  paymentId: string;
  reference: string;
  currency: string;
  liveMode: boolean;
  status: string;
  /** What the shopper sent, in minor units, whichever way the service counts its fees; `null` if no amount is named. */
  chargedAmount: number | null;
  expectedAmount: number;
  updatedAt: string;
};

/** Reads a response of verify or retrieve. The client has refused a payment with an unreadable fee that is needed here. */
export function readResponse(payment: ServicePayment, dialect: Readonly<Dialect>): ServiceResponse {
  const { id: paymentId, reference, currency, liveMode, status, expectedAmount, updatedAt } = payment;
  const chargedAmount = grossAmount(payment, dialect);
  return { paymentId, reference, currency, liveMode, status, chargedAmount, expectedAmount, updatedAt };
}

/**
 * Returns the response as an observation, before it is merged. A response without an amount does not erase an earlier one, nor does it
 * confirm one: `succeeded` then counts as `charged`, and `expired` says nothing new where money waits to be confirmed.
 */
export function toObservation(response: ServiceResponse, known: Observation | null): Observation {
  const { status, chargedAmount, expectedAmount, updatedAt } = response;
  if (chargedAmount !== null) return { status, chargedAmount, expectedAmount, updatedAt };
  if (status === 'expired' && known !== null && isUnconfirmed(known)) return known;
  return {
    status: status === 'succeeded' ? 'charged' : status,
    chargedAmount: known?.chargedAmount ?? 0,
    expectedAmount,
    updatedAt,
  };
}
