import type { Money, PaymentView } from '../src/contract/index.ts';
import { isOpened, toPaymentView } from './payment-view.ts';
import type { PaymentRecord } from './stores/store.ts';

/** What a merchant's handler is told. */
export type OutcomeEvent = {
  orderId: string;
  /** What the order cost when the payment was made. */
  amount: Money;
  payment: PaymentView;
  /** The same for every call about the same order and outcome: pass it on to whatever you do about it. */
  idempotencyKey: string;
};

export type OutcomeHandlers = {
  /**
   * The order is paid: fulfil it. Called once an order in this process. What it throws goes to `onError`; it is not
   * called again, so let it hand the order to something durable.
   */
  onPaid?: ((event: OutcomeEvent) => void | Promise<void>) | undefined;
  /**
   * Money has come that no order waits for: on an attempt that a changed order has replaced, or a second time for an
   * order that is paid. Somebody has to give it back.
   */
  onUnexpectedMoney?: ((event: OutcomeEvent) => void | Promise<void>) | undefined;
};

/**
 * Tells the merchant of outcomes, each once. What has been told is kept in this process only: handlers that survive
 * it, and are shared between several, need the store, and come in behind this function.
 *
 * @returns to be called with every record that was looked at
 */
export function createOutcomeNotifier(
  handlers: OutcomeHandlers,
  report: (error: unknown) => void,
): (record: PaymentRecord) => void {
  const told = new Set<string>();
  const tell = async (handler: OutcomeHandlers['onPaid'], record: PaymentRecord, idempotencyKey: string) => {
    if (told.has(idempotencyKey) || !isOpened(record)) return;
    told.add(idempotencyKey);
    const { orderId, amount } = record;
    await handler?.({ orderId, amount, payment: toPaymentView(record), idempotencyKey });
  };
  return (record) => {
    const { orderId, reference, outcome, observed } = record;
    const paidKey = `${orderId}:paid`;
    const paidReference = `${paidKey}:${reference}`;
    const isSecondPayment = outcome === 'paid' && told.has(paidKey) && !told.has(paidReference);
    const isUnexpected = isSecondPayment || (outcome === 'replaced' && (observed?.chargedAmount ?? 0) > 0);
    if (isUnexpected) {
      tell(handlers.onUnexpectedMoney, record, `${orderId}:unexpectedMoney:${reference}`).catch(report);
    } else if (outcome === 'paid') {
      told.add(paidReference);
      tell(handlers.onPaid, record, paidKey).catch(report);
    }
  };
}
