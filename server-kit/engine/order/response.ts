import type { Payment as ServicePayment } from '../../core/endpoints.ts';
import { holdsMoney } from '../../core/payment.ts';
import type { Observation } from './record.ts';

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

/** Reads a response of verify or retrieve. */
export function readResponse(payment: ServicePayment): ServiceResponse {
  const { id: paymentId, reference, currency, liveMode, status, expectedAmount, updatedAt } = payment;
  const { chargedAmount } = payment;
  return { paymentId, reference, currency, liveMode, status, chargedAmount, expectedAmount, updatedAt };
}

/**
 * Returns the response as an observation, before it is merged. One without an amount says nothing new of known money, unless that was
 * reversed; and it confirms none, so that `succeeded` counts as `charged`.
 */
export function toObservation(response: ServiceResponse, known: Observation | null): Observation {
  const { status, chargedAmount, expectedAmount, updatedAt } = response;
  if (chargedAmount !== null) return { status, chargedAmount, expectedAmount, updatedAt };
  const money = known !== null && holdsMoney(known) ? known : null;
  if (money !== null && status !== 'reversed') return money;
  return {
    status: status === 'succeeded' ? 'charged' : status,
    chargedAmount: money?.chargedAmount ?? 0,
    expectedAmount,
    updatedAt,
  };
}
