import type { PaymentsClient } from './client.ts';
import { PaymentsError } from './errors.ts';
import { isSameAmount, type Order } from './order.ts';
import type { OpenedPayment, PaymentRecord } from './stores/store.ts';

export type MakeOptions = {
  payments: PaymentsClient;
  /** Where the service sends callbacks. */
  callbackUrl: string;
  /** Where the service's own page sends shoppers back to, where the order does not say. */
  returnUrl: string;
};

/** What the service has made for an attempt, before it is recorded. */
export type MadePayment = Omit<OpenedPayment, 'openedAt' | 'callbackUrl'>;

/**
 * Has the service make a payment with an account of its own (interface, section 4.4).
 *
 * @throws {PaymentsError}
 */
export async function makeAccount(
  { payments, callbackUrl }: MakeOptions,
  order: Order,
  record: PaymentRecord,
): Promise<MadePayment> {
  const initiation = await payments.payments.initiate({
    reference: record.reference,
    paymentMethod: 'pay_with_transfer',
    amount: { value: record.amount.value, currency: order.amount.currency },
    expiresIn: order.expiresInSeconds,
    callbackUrl,
    ...(order.customer && { customer: order.customer }),
    ...(order.metadata && { metadata: order.metadata }),
  });
  refuseAnotherPayment('payments.initiate', initiation, record);
  const { id, accountNumber, accountName, bankName, expiresAt, liveMode } = initiation;
  const account = { number: accountNumber, name: accountName, bankName };
  return { paymentId: id, account, expiresAt, liveMode };
}

/** An account, or a page, that waits for another amount than the shop will name must not be shown to anybody. */
export function refuseAnotherPayment(
  operation: string,
  made: { reference: string; amount?: { value: number; currency: string } | null | undefined },
  record: PaymentRecord,
): void {
  const { reference, amount = record.amount } = made;
  const { value, currency } = amount ?? record.amount;
  if (reference === record.reference && isSameAmount({ value, currency }, record.amount)) return;
  const detail = `The service made a payment of ${currency} ${value} with reference ${reference}, where ${record.amount.currency} ${record.amount.value} with ${record.reference} was asked for; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', detail, { operation, params: ['amount', 'reference'] });
}
