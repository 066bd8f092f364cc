import type { Money, PaymentView } from '../../../src/contract/index.ts';
import { type NewEvent, type OrderOutcome, outboxOutcomes, type UnexpectedReason } from '../order/event.ts';
import type { Order } from '../order/record.ts';

/** How each call of a handler begins and ends. */
export type HandlerCall = {
  /** The same for every call about this event: pass it on to what the handler does. */
  idempotencyKey: string;
  /**
   * Aborts when this call no longer counts: another instance took over the lease; the call took longer than ten leases, or than one
   * while others wait for its place; or the checkout stops. What the handler does after that may happen twice.
   */
  signal: AbortSignal;
  /**
   * With a store that has `transact`: what to run your own statements on, so that they are committed exactly if the call counts as done.
   * With PostgreSQL it is a `PoolClient`. Otherwise `undefined`.
   */
  transaction: unknown;
};

/** Money that the service has confirmed, or taken back, in minor units. */
export type MoneyMovement = {
  /** What has come with this event, or has gone, as the outcome says; 0 for `onExpired` and `onFailed`. */
  amount: Money;
  /** What has been reported as confirmed on this payment and not as taken back, including events whose handlers are still to be called. */
  total: Money;
};

/** The argument of a merchant's handler for the events of an order. */
export type OutcomeEvent = HandlerCall & {
  /** What has happened: `paid` for `onPaid`. It tells `onAttention` why it is called. */
  outcome: OrderOutcome;
  /**
   * The payment that caused the event, in its current state. The account is empty where the shopper never saw one.
   * `chargedAmount` also counts money that the service has not confirmed.
   */
  payment: PaymentView;
  /** The order, and what it cost when the payment was created. */
  order: { orderId: string; amount: Money };
  /** What came or went with this event, and what is on the payment in all. */
  money: MoneyMovement;
};

export type PaidEvent = OutcomeEvent & {
  /**
   * Whether the money was confirmed after the account had expired. `onExpired` may have been called for the order, and its goods
   * promised to another customer.
   */
  late: boolean;
  /**
   * What was received above the order's amount when it was paid, in minor units; `null` for nothing. What arrives later is unexpected
   * money.
   */
  excess: Money | null;
};

/** An outcome about money that does not pay the order. */
export type AttentionOutcome =
  | 'amountMismatch'
  | 'reversed'
  | 'unexpectedMoney'
  | 'unexpectedMoneyReversed'
  | 'otherPayment';

/**
 * The argument of `onAttention`, by `outcome`:
 *
 * - `amountMismatch`: a payment has ended with less money than the order costs, and no payment has paid the order. Once an order: more money
 *   that is still too little is `unexpectedMoney`. If the rest comes, `onPaid` follows.
 * - `reversed`: the order's own money has been taken back, from the payment of `onPaid`, or of an `amountMismatch` while nothing has paid the
 *   order. `money.amount` is all that was reported on this payment, a surplus included.
 * - `unexpectedMoney`: confirmed money that the order does not need, as `reason` says: return it. Again, with another key, for each further
 *   amount; `money.amount` is what came this time.
 * - `unexpectedMoneyReversed`: unexpected money, or that of a mismatch before another payment paid the order, has been taken back: there is
 *   nothing left to return. Never the money that has paid the order. `money.amount` is all that was reported on this payment.
 * - `otherPayment`: the service has named another payment for the reference of one that has money, and that payment does not make up for it.
 *   What was seen still counts. Ask the service about both. Once a payment; `money.amount` is 0.
 */
export type AttentionEvent = OutcomeEvent &
  (
    | { outcome: Exclude<AttentionOutcome, 'unexpectedMoney' | 'otherPayment'> }
    | {
        outcome: 'otherPayment';
        /** The service's id of the other payment. */
        otherPaymentId: string;
      }
    | {
        outcome: 'unexpectedMoney';
        /** Why the order does not need the money: see `UnexpectedReason`. */
        reason: UnexpectedReason;
      }
  );

type Handler<Event> = ((event: Event) => unknown) | undefined;

/**
 * The merchant's handlers. Each is called until it succeeds, one at a time for an order, in the order of the events, on any free
 * instance. Usually that is once, and again after a crash: make it repeatable by `idempotencyKey`. What it throws, or rejects with, goes
 * to `onLog`; it is called again after a second, then with growing pauses up to an hour, until it succeeds. A handler that hangs
 * does not hold up those of other orders: when they need its place, it fails after one lease, and is called again later.
 *
 * Give all instances that share a store the same handlers, or `handlers: 'elsewhere'` to those that only serve requests. `onExpired` and
 * `onFailed` may be missing. Any other outcome without a handler is about money, and is parked: it is logged, listed in the status, and
 * delivered once an instance with a handler starts.
 */
export type OutcomeHandlers = {
  /**
   * The order is paid: fulfil it, if `order.amount` is what your own order costs; otherwise the order was changed, and a person must
   * decide. Once an order; never for a second payment of it. `money.amount` is without a part that was reported before. Before you
   * fulfil it late, check `payment.outcome`: it is `reversed` if the money has been taken back since.
   */
  onPaid?: Handler<PaidEvent>;
  /** Money about which a person must decide, or know, as `outcome` says: see `AttentionEvent`. */
  onAttention?: Handler<AttentionEvent>;
  /**
   * The service has given a payment up, and no payment has paid the order. Once an order. Another payment may still pay it. Money in
   * `payment.chargedAmount` is not confirmed: nothing has to be returned, except what was reported before, while it is in `money.total`.
   */
  onFailed?: Handler<OutcomeEvent>;
  /**
   * An account has expired, and no payment has paid the order. Once an order. If money arrives late, or on another payment, `onPaid`
   * follows.
   */
  onExpired?: Handler<OutcomeEvent>;
};

type HandlerName = 'onPaid' | 'onFailed' | 'onExpired' | 'onAttention';

/** The name of the handler of each outcome. */
export const handlerNames = {
  paid: 'onPaid',
  failed: 'onFailed',
  expired: 'onExpired',
  reversed: 'onAttention',
  amountMismatch: 'onAttention',
  unexpectedMoney: 'onAttention',
  unexpectedMoneyReversed: 'onAttention',
  otherPayment: 'onAttention',
} as const satisfies Record<OrderOutcome, HandlerName>;

type Of = Pick<NewEvent, 'outcome'>;

/** Whether the event is about money: then it is kept until it has a handler. */
export const isAboutMoney = ({ outcome }: Of): boolean => outcome !== 'expired' && outcome !== 'failed';

/** Whether the event no longer counts: an order that is paid has neither failed nor expired. */
export const isOvertaken = (event: NewEvent, { reported }: Order): boolean =>
  !isAboutMoney(event) && reported.paid !== null;

export type AnyHandler = (event: HandlerCall) => unknown;

/** Returns the merchant's handler of an outbox event; `undefined` for none. The outcome decides about it and its argument. */
export const handlerOf = (handlers: OutcomeHandlers, { outcome }: Of): AnyHandler | undefined =>
  handlers[handlerNames[outcome]] as AnyHandler | undefined;

export const handledOutcomes = (handlers: OutcomeHandlers): OrderOutcome[] =>
  outboxOutcomes.filter((outcome) => handlerOf(handlers, { outcome }) !== undefined);
