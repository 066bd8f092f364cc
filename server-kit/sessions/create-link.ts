import type { Order } from '../payments/order.ts';
import type { PaymentRecord } from '../stores/store.ts';
import {
  type CreatedPayment,
  type CreatePaymentOptions,
  checkExpiry,
  refuseAnotherPayment,
  sendHedged,
} from './create-account.ts';

/**
 * Has the service make a page of its own on which the order is paid (interface, section 4.5). No account is told, and no
 * payment exists, before somebody opens it.
 *
 * @throws {PaymentsError}
 */
export async function createLinkPage(
  options: CreatePaymentOptions,
  order: Order,
  record: PaymentRecord,
): Promise<CreatedPayment> {
  const { payments, callbackUrl, returnUrl } = options;
  const request = {
    reference: record.reference,
    amount: { value: record.amount.value, currency: order.amount.currency },
    returnUrl: order.returnUrl ?? returnUrl,
    callbackUrl,
    ...(order.customer && { customer: order.customer }),
    ...(order.metadata && { metadata: order.metadata }),
  };
  const made = await sendHedged(options, (call) => payments.checkout.create(request, call));
  refuseAnotherPayment('checkout.create', made, record);
  const { id, authorizationUrl, expiresAt, liveMode } = made;
  const endsAt = () => new Date(payments.serviceNow() + order.expiresInSeconds * 1000).toISOString();
  return {
    paymentId: id,
    account: { number: '', name: '', bankName: '' },
    expiresAt: expiresAt == null ? endsAt() : checkExpiry(options, 'checkout.create', expiresAt),
    liveMode: liveMode ?? payments.mayBeLive,
    link: { authorizationUrl, ...(liveMode == null && { isModeAssumed: true }) },
  };
}
