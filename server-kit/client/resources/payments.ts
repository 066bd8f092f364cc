import type { Payment, PaymentInitiation, PaymentInitiationRequest } from '../../api/payment.ts';
import type { Call } from '../request/call.ts';
import type { CallOptions } from '../request/call-options.ts';

/** Payments by bank transfer (interface, sections 4.4, 4.6 and 4.7). */
export type PaymentsResource = {
  /**
   * 4.4: initiates a payment, and gives the account to pay into. Repeated after a lost answer with the same
   * `reference` only.
   *
   * @throws {PaymentsError} `reference_exists` when a payment with this reference was made before; with `isLikelyOwn` most likely
   *   by this very call, whose first answer was lost: `verify` tells its state, but not the account
   */
  initiate: (body: PaymentInitiationRequest, options?: CallOptions) => Promise<PaymentInitiation>;
  /** 4.6: a payment by the service's id. */
  retrieve: (id: string, options?: CallOptions) => Promise<Payment>;
  /** 4.7: a payment by the merchant's reference; `not_found` when the service knows none. */
  verify: (reference: string, options?: CallOptions) => Promise<Payment>;
};

export function createPaymentsResource(call: Call): PaymentsResource {
  return {
    initiate: (body, options) => call('payments.initiate', { body }, options),
    retrieve: (id, options) => call('payments.retrieve', { path: { id } }, options),
    verify: (reference, options) => call('payments.verify', { path: { reference } }, options),
  };
}
