import { CheckoutError, type Money, type PaymentView } from '../../src/contract/index.ts';
import { isOpened, type OpenedRecord, toPaymentView } from '../payments/payment-view.ts';
import type { OutboxEvent, OutboxOutcome } from '../stores/outbox-event.ts';
import { isLate, type PaymentRecord } from '../stores/payment-record.ts';

/** The argument of a merchant's handler. */
export type OutcomeEvent = {
  /** The payment that caused the event, in its current state. */
  payment: PaymentView;
  /** The order, and what it cost when the payment was created. */
  order: { orderId: string; amount: Money };
  /** The same for every call about this event: pass it on to what the handler does. */
  idempotencyKey: string;
  /**
   * Aborts when this call no longer counts: another instance took over the lease, the call took longer than ten leases, or
   * the checkout stops. What the handler does after that may happen twice.
   */
  signal: AbortSignal;
  /**
   * With a store that has `transact`: what to run your own statements on, so that they are committed exactly if the call
   * counts as done. With PostgreSQL it is a `PoolClient`. Otherwise `undefined`.
   */
  transaction: unknown;
};

export type PaidEvent = OutcomeEvent & {
  /**
   * Whether the money was confirmed after the account had expired. `onExpired` may have been called for the order, and its
   * goods promised to another customer.
   */
  late: boolean;
  /**
   * What was received above the order's amount when it was paid, in minor units; `null` for nothing. What arrives later is
   * unexpected money.
   */
  excess: Money | null;
};

type Handler<Event> = ((event: Event) => unknown) | undefined;

/**
 * The merchant's handlers. Each is called until it succeeds, one at a time for an order, in the order of the events, on any
 * free instance. Usually that is once, and again after a crash: make it repeatable by `idempotencyKey`. What it throws, or
 * rejects with, goes to `onLog`; it is called again after a second, then with growing pauses up to an hour, for at least
 * three days. A slow handler does not hold up those of other orders.
 *
 * Give all instances that share a store the same handlers, or none to those that only serve requests: an instance without
 * handlers leaves the events to the others. On an instance with any handler, `onPaid` is required, and an outcome without a
 * handler counts as handled.
 */
export type OutcomeHandlers = {
  /**
   * The order is paid: fulfil it, if `order.amount` is what your own order costs; otherwise the order was changed, and a person must
   * decide. Never for a second payment of an order. Before you fulfil it late, check `payment.outcome`: it is `reversed` if the money
   * has been taken back since.
   */
  onPaid?: Handler<PaidEvent>;
  /** The payment has failed. Not called once the order is paid. */
  onFailed?: Handler<OutcomeEvent>;
  /** The account has expired. If money arrives late, `onPaid` follows. Not called once the order is paid. */
  onExpired?: Handler<OutcomeEvent>;
  /** The money of a paid order has been taken back. */
  onReversed?: Handler<OutcomeEvent>;
  /**
   * The payment has ended with less money than the order costs. A person must decide. If another payment has paid the order,
   * `onUnexpectedMoney` is called instead.
   */
  onAmountMismatch?: Handler<OutcomeEvent>;
  /**
   * Money was received that no order expects, and a person must return it: a second time for a paid or reversed order, on a
   * payment that a changed order has replaced, too little on one that has expired or failed, or on an unmatched payment, which
   * the store did not know. The last has an amount of 0, and its `orderId` is `stray:` and its reference. Called again, with
   * another key, when more arrives on the same payment: `payment.chargedAmount` is the total on it.
   */
  onUnexpectedMoney?: Handler<OutcomeEvent>;
};

export const handlerNames = {
  paid: 'onPaid',
  failed: 'onFailed',
  expired: 'onExpired',
  reversed: 'onReversed',
  amountMismatch: 'onAmountMismatch',
  unexpectedMoney: 'onUnexpectedMoney',
} as const satisfies Record<OutboxOutcome, keyof OutcomeHandlers>;

export const hasHandlers = (handlers: OutcomeHandlers): boolean =>
  Object.values(handlerNames).some((name) => handlers[name] !== undefined);

/**
 * Calls the handler of an outbox event, if the merchant has one.
 *
 * @throws what the handler throws; {CheckoutError} `internal_error` for an event whose payment is not recorded
 */
export async function callHandler(
  handlers: OutcomeHandlers,
  { key, outcome, reference }: OutboxEvent,
  record: PaymentRecord | undefined,
  call: Pick<OutcomeEvent, 'signal' | 'transaction'>,
): Promise<void> {
  if (!isOpened(record)) {
    throw new CheckoutError('internal_error', `${key}: the payment ${reference} is not recorded.`);
  }
  const { orderId, amount } = record;
  const payment = toPaymentView(record);
  const event: OutcomeEvent = { payment, order: { orderId, amount }, idempotencyKey: key, ...call };
  if (outcome === 'paid') {
    await handlers.onPaid?.({ ...event, late: isLate(record), excess: excessOf(record) });
  } else {
    await handlers[handlerNames[outcome]]?.(event);
  }
}

function excessOf({ observed, outcomeAmount, amount }: OpenedRecord): Money | null {
  const value = (outcomeAmount ?? observed?.chargedAmount ?? 0) - amount.value;
  return value > 0 ? { value, currency: amount.currency } : null;
}
