import type { Payment, PaymentInitiation, PaymentInitiationRequest } from '../api/payment.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { Call } from '../request/call.ts';

/**
 * Payments by bank transfer (interface, sections 4.4, 4.6 and 4.7). The service has no call that refunds, closes or lists payments:
 * money goes back by a transfer of yours, and an account takes money until it expires, and sometimes later.
 */
export type PaymentsResource = {
  /**
   * 4.4: initiates a payment, and returns the account to pay into. Retried only with the same `reference`.
   *
   * @throws {PaymentsError} `reference_exists` if the reference was used before. With `isLikelyOwn`, whatever the code, this call may have
   *   created the payment itself and lost the response: `verify` returns its status, but not the account. `openPayment` handles it
   */
  initiate: (body: PaymentInitiationRequest, options?: CallOptions) => Promise<PaymentInitiation>;
  /** 4.6: retrieves a payment by the service's id. */
  retrieve: (id: string, options?: CallOptions) => Promise<Payment>;
  /**
   * 4.7: retrieves a payment by the merchant's reference.
   *
   * @throws {PaymentsError} `not_found` if the service does not know it
   */
  verify: (reference: string, options?: CallOptions) => Promise<Payment>;
};

export function createPaymentsResource(call: Call): PaymentsResource {
  return {
    initiate: (body, options) => call('payments.initiate', { body }, options),
    retrieve: (id, options) => call('payments.retrieve', { path: { id } }, options),
    verify: (reference, options) => call('payments.verify', { path: { reference } }, options),
  };
}
