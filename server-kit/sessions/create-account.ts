import type { PaymentInitiationRequest } from '../api/payment.ts';
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
 * Creates a payment with a virtual account of its own at the service (interface, section 4.4).
 *
 * @throws {PaymentsError}
 */
export async function createAccount(
  options: CreationOptions,
  order: Order,
  record: PaymentRecord,
): Promise<CreatedPayment> {
  const { payments, callbackUrl } = options;
  const request: PaymentInitiationRequest = {
    reference: record.reference,
    paymentMethod: 'pay_with_transfer',
    amount: { value: record.amount.value, currency: order.amount.currency },
    expiresIn: order.expiresInSeconds,
    callbackUrl,
    ...(order.customer && { customer: order.customer }),
    ...(order.metadata && { metadata: order.metadata }),
  };
  const initiation = await sendHedged(options, (call) => payments.payments.initiate(request, call));
  refuseAnotherPayment('payments.initiate', initiation, record);
  const { id, accountNumber, accountName, bankName, expiresAt, liveMode } = initiation;
  return {
    paymentId: id,
    account: { number: accountNumber, name: accountName, bankName },
    expiresAt: checkExpiry(options, 'payments.initiate', expiresAt),
    liveMode,
  };
}
