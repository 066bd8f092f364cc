import { CheckoutError, type Money } from '../../../src/contract/index.ts';
import type { Wait } from '../../core/time.ts';
import type { NewEvent } from '../order/event.ts';
import { reportedAmount } from '../order/money.ts';
import { findPayment, type Order } from '../order/record.ts';
import { viewPayment } from '../order/view.ts';
import type { ClaimedOutboxEvent, EndedRun, OutboxEvent } from '../store.ts';
import { noLongerNeeded, raceAbort, whenAborted } from '../wait.ts';
import {
  type HandlerCall,
  handlerNames,
  handlerOf,
  isAboutMoney,
  isOvertaken,
  type OutcomeEvent,
  type OutcomeHandlers,
} from './handlers.ts';
import { type Lease, renewUntilLost } from './lease.ts';

/** How events are delivered. */
export type Delivery = Lease & {
  handlers: OutcomeHandlers;
  /** From 0 up to, not including, 1: spreads retries. */
  random: () => number;
};

/** A run of an event's handler, from the event's claim until its result is recorded. */
export type Run = {
  /** Resolves when the handler may start. The lease is renewed from the claim on. */
  place: Promise<unknown>;
  /** Aborts when the run no longer counts, for the reason that is recorded as its failure. */
  ending: AbortController;
  /** Called from time to time once the handler has run as long as its lease. */
  onLong: () => void;
};

/** How long a handler in a transaction may run after its signal has aborted. Then the transaction is cut off. */
export const lastPatienceMs = 5000;

/** The reason for which all runs end: their events are released at once, for other instances. */
export const stopped = new Error('The checkout was stopped while the handler ran.');

/**
 * Calls the handler of a claimed event under its lease, and records the result. Returns the time until an event of the record is due
 * again, in milliseconds; `null` if none is, or the lease was lost. Rejects if the store does.
 */
export async function deliverOutboxEvent(
  delivery: Delivery,
  event: ClaimedOutboxEvent,
  { place, ending, onLong }: Run,
): Promise<number | null> {
  const { store, log } = delivery;
  const released = new AbortController();
  let ended: EndedRun | undefined;
  let hasPlace = false;
  try {
    renewUntilLost(delivery, event, () => hasPlace && onLong(), released.signal).then(
      (reason) => ending.abort(reason),
      () => {},
    );
    await raceAbort(place, ending.signal);
    hasPlace = true;
    ended = await runHandler(delivery, event, ending.signal, released.signal);
  } catch (error) {
    // A handler may respond to its signal with an error of its own.
    const failure = ending.signal.aborted ? ending.signal.reason : error;
    // The database may have ended the transaction while the handler still runs; it will be called again.
    if (store.transact !== undefined) ending.abort(error);
    ended = await recordFailure(delivery, event, failure);
  } finally {
    released.abort(noLongerNeeded);
  }
  if (ended === undefined) log({ type: 'leaseLost', ...namesOf(event) });
  return ended?.nextAfterMs ?? null;
}

/** @throws what the handler throws; the signal's reason if it aborts while the handler still runs */
async function runHandler(
  delivery: Delivery,
  event: ClaimedOutboxEvent,
  signal: AbortSignal,
  released: AbortSignal,
): Promise<EndedRun | undefined> {
  const { store, handlers, wait, log } = delivery;
  const { record } = event;
  if (record !== null && isOvertaken(event, record))
    return store.updateOutboxEvent(event, { state: 'withdrawn' });
  const handler = handlerOf(handlers, event);
  if (handler === undefined)
    return isAboutMoney(event)
      ? park(delivery, event, noHandlerFor(event))
      : store.updateOutboxEvent(event, done);
  if (event.wasLost && event.token > maxLostRuns) {
    const failure = lostTooOften(event);
    return park(delivery, event, failure, failure);
  }
  const outcome = toOutcomeEvent(event, record);
  const call = async (transaction?: unknown): Promise<void> => {
    await handler({ ...outcome, idempotencyKey: event.key, signal, transaction });
  };
  const ended = await (store.transact === undefined
    ? raceAbort(call(), signal).then(() => store.updateOutboxEvent(event, done))
    : store.transact(event, call, abortLater(wait, signal, released)));
  if (ended !== undefined) log({ type: 'handlerSucceeded', ...namesOf(event) });
  return ended;
}

const done = { state: 'done' } as const;

/** Returns what the handler gets, besides how it is called. Throws `internal_error` after a fault of the store. */
export function toOutcomeEvent(event: NewEvent, order: Order | null): Omit<OutcomeEvent, keyof HandlerCall> {
  const { key, reference, outcome } = event;
  const payment = order === null ? undefined : findPayment(order, reference);
  if (order === null || payment === undefined || payment.state === 'opening')
    throw new CheckoutError('internal_error', `${key}: the payment ${reference} is not recorded.`);
  const { amount } = payment;
  const money = (value: number): Money => ({ value, currency: amount.currency });
  const excess = (order.reported.paid?.amount ?? 0) - amount.value;
  return {
    outcome,
    payment: viewPayment(order, payment),
    order: { orderId: order.orderId, amount },
    money: { amount: money(event.amount), total: money(reportedAmount(order, reference)) },
    ...(outcome === 'paid' && { late: event.isLate, excess: excess > 0 ? money(excess) : null }),
    ...(outcome === 'unexpectedMoney' && { reason: event.reason }),
    ...(outcome === 'otherPayment' && { otherPaymentId: payment.otherId }),
  };
}

/** Keeps an event until an instance starts that has a handler for it, or, with a failure, until the next start. */
async function park({ store, log }: Delivery, event: ClaimedOutboxEvent, message: string, failure?: string) {
  const ended = await store.updateOutboxEvent(event, { state: 'parked', ...(failure && { failure }) });
  if (ended !== undefined) log({ type: 'parked', ...namesOf(event), amount: event.amount, message });
  return ended;
}

const noHandlerFor = ({ key, outcome }: ClaimedOutboxEvent): string =>
  `No handler takes ${key}; pass ${handlerNames[outcome]} to createCheckout, which gets the event after the next start.`;

/** A handler that ends its process would end every process that runs it. */
const maxLostRuns = 20;

const lostTooOften = ({ token }: ClaimedOutboxEvent): string =>
  `The handler was started ${token - 1} times, and the last run neither ended nor failed: its process ended, or lost the store. The event waits for the next start.`;

/** Returns a signal that aborts some time after this one, unless it is no longer needed: until then a handler may use its transaction. */
function abortLater(wait: Wait, signal: AbortSignal, released: AbortSignal): AbortSignal {
  const later = new AbortController();
  whenAborted(signal, () => {
    wait(lastPatienceMs, released, true).then(
      () => later.abort(signal.reason),
      () => {},
    );
  });
  return later.signal;
}

/** After so many tries, an event no longer holds up the later ones of its order. A reversal must not be handled before its `paid`. */
const maxBlockingTries = 10;

/** Records a failure, and schedules the next try. `token` counts the tries. */
async function recordFailure(
  { store, random, log }: Delivery,
  event: ClaimedOutboxEvent,
  error: unknown,
): Promise<EndedRun | undefined> {
  const { token, outcome } = event;
  const names = namesOf(event);
  const retryAfterMs = handlerPauseMs(token, random());
  if (error === stopped) log({ type: 'handlerInterrupted', ...names });
  else log({ type: 'handlerFailed', ...names, retryAfterMs, error });
  const state = outcome !== 'paid' && token >= maxBlockingTries ? 'deferred' : 'waiting';
  const afterMs = error === stopped ? 0 : retryAfterMs;
  return store.updateOutboxEvent(event, { state, afterMs, failure: failureOf(error) });
}

function namesOf({ key, orderId, outcome, reference, token }: OutboxEvent) {
  return { key, orderId, outcome, reference, token };
}

/** In characters. Some errors of HTTP clients and databases contain whole bodies and statements. */
const longestFailure = 2000;

/** Anything can be thrown, and not everything can be converted to a string. */
function failureOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, longestFailure);
  } catch {
    return 'The thrown value has no message.';
  }
}

const firstPauseMs = 1000;

/** Every order recovers within an hour after an outage, however long it was. */
const longestPauseMs = 3_600_000;

/** Returns the pause after this many tries. Jitter shortens it, so that the orders of an outage are not all retried at once. */
export function handlerPauseMs(tries: number, random: number): number {
  const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs);
  return pauseMs * (0.5 + random / 2);
}
