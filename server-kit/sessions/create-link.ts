import type { Order } from '../payments/order.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import {
  type CreatedPayment,
  type CreationOptions,
  checkExpiry,
  refuseAnotherPayment,
  sendHedged,
} from './creation.ts';

/**
 * Creates a page at the service on which the order is paid (interface, section 4.5). Until a shopper opens the page, the
 * service has no payment and names no account.
 *
 * @throws {PaymentsError}
 */
export async function createLink(
  options: CreationOptions,
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
  const created = await sendHedged(options, (call) => payments.checkout.create(request, call));
  refuseAnotherPayment('checkout.create', created, record);
  const { id, authorizationUrl, expiresAt, liveMode } = created;
  const endsAt = () => new Date(payments.serviceNow() + order.expiresInSeconds * 1000).toISOString();
  return {
    paymentId: id,
    account: { number: '', name: '', bankName: '' },
    expiresAt: expiresAt == null ? endsAt() : checkExpiry(options, 'checkout.create', expiresAt),
    liveMode: liveMode ?? payments.canBeLive,
    link: { authorizationUrl, ...(liveMode == null && { isModeAssumed: true }) },
  };
}
