import { isResponseLost } from '../errors/payments-error.ts';
import type { CallOptions } from '../options/call-options.ts';
import {
  initiatePayment,
  type OpenedPayment,
  type OpenPaymentRequest,
  type PaymentService,
} from './opened-payment.ts';

/** How many payments one call may have the service create without receiving the response. */
const maxLost = 3;

/**
 * Opens a payment for an order of your own, and returns what to store of it. If the service may have created the payment, but its response
 * was lost, nothing returns the account: any refusal of a repeated reference leaves that payment alone, and another one is opened with
 * `-2` or `-3` after the reference. No page has shown the first account. Only a message of the service itself could bring money to it.
 *
 * Call it once for each reference, also after a failure, and show the account only after the returned payment is stored: a second call
 * opens a second payment, or is refused.
 *
 * @example
 * const opened = await openPayment(client, { reference: 'order_1', amount: { value: 1_250_000, currency: 'NGN' } });
 * await orders.update('order_1', { opened });
 *
 * @throws {PaymentsError} as `payments.initiate`; `invalid_response` for an account of another amount, or one that has expired;
 *   after three lost responses, the refusal of the last one
 */
export async function openPayment(
  client: PaymentService,
  request: OpenPaymentRequest,
  call?: CallOptions,
): Promise<OpenedPayment> {
  for (let count = 1; ; count++) {
    const reference = count === 1 ? request.reference : `${request.reference}-${count}`;
    try {
      return await initiatePayment(client, { ...request, reference }, call);
    } catch (error) {
      if (!isResponseLost(error) || count === maxLost) throw error;
    }
  }
}
