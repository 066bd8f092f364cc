import { CheckoutError, type Money, type PaymentView } from '../../src/contract/index.ts';
import { isLate, isOpened, type OpenedRecord, toPaymentView } from '../payments/payment-view.ts';
import type { OutboxEvent, OutboxOutcome } from '../stores/outbox-event.ts';
import type { PaymentRecord } from '../stores/store.ts';

/** What a merchant's handler is told. */
export type OutcomeEvent = {
  /** The payment that brought it about, as it is recorded now. */
  payment: PaymentView;
  /** The order, and what it cost when the payment was made. */
  order: { orderId: string; amount: Money };
  /** The same however often the handler is called about this: pass it on to whatever you do about it. */
  idempotencyKey: string;
  /**
   * Aborts when this call no longer counts: its lease was lost to another instance, it takes longer than ten leases, or
   * the checkout stops. Whatever the handler does afterwards may be done twice.
   */
  signal: AbortSignal;
  /**
   * With a store that has `transact`, what to run your own statements on, so that they are committed exactly when the
   * call counts as done: a `PoolClient` with PostgreSQL. Otherwise `undefined`.
   */
  transaction: unknown;
};

export type PaidEvent = OutcomeEvent & {
  /**
   * Whether the service confirmed the money only after the account had expired. The order may have been told of as
   * expired, and its goods be promised to somebody else.
   */
  late: boolean;
  /**
   * What had come above the order's amount when it was paid, in minor units; `null` where nothing had. What comes
   * afterwards is unexpected money.
   */
  excess: Money | null;
};

type Handler<Event> = ((event: Event) => unknown) | undefined;

/**
 * What the merchant does about outcomes. Each is called until it ends well, one at a time an order, in the order in
 * which things came about, on whichever instance is free. That is once as a rule, and again after a crash: let it be
 * repeatable, by `idempotencyKey`. What it throws, or rejects with, goes to `onLog`, and it is called again after a
 * second, then ever later up to an hour, for three days at least. One that takes long does not hold up those of other orders.
 *
 * Give all instances that share a store the same handlers, or none to those that only serve: an instance without any
 * leaves what is to be told to the others. On one that has some, `onPaid` is required, and an outcome without a handler
 * counts as told.
 */
export type OutcomeHandlers = {
  /** The order is paid: fulfil it. Never for a second payment of an order. */
  onPaid?: Handler<PaidEvent>;
  /** The service says that the payment has failed. Left out once the order is paid. */
  onFailed?: Handler<OutcomeEvent>;
  /** The account has stopped waiting. Money may still come late; then `onPaid` follows. Left out once the order is paid. */
  onExpired?: Handler<OutcomeEvent>;
  /** The money of an order that was paid has been taken back. */
  onReversed?: Handler<OutcomeEvent>;
  /** The service is done with the payment, and less has come than the order costs. Somebody has to decide. */
  onAmountMismatch?: Handler<OutcomeEvent>;
  /**
   * Money has come that no order waits for, and somebody has to give it back: a second time for a paid order, on an
   * attempt that a changed order has replaced, too little of it on one that has expired or failed, or on a payment that
   * the store does not know. The last has an amount of 0 and an `orderId` of `stray:` and its reference. Called again, with
   * another key, when more comes on the same payment: `payment.chargedAmount` is all that lies on it.
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

/** Whether there is anything to call. */
export const hasHandlers = (handlers: OutcomeHandlers): boolean =>
  Object.values(handlerNames).some((name) => handlers[name] !== undefined);

/**
 * Calls the handler of an effect, where the merchant has one.
 *
 * @throws whatever the handler throws; {CheckoutError} `internal_error` for an effect whose payment is not recorded
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
