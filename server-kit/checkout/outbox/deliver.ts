import { CheckoutError } from '../../../src/contract/index.ts';
import { raceAbort, whenAborted } from '../../client/async/wait.ts';
import type { ClaimedOutboxEvent, OutboxEvent, RunEnd } from '../ports/store.ts';
import {
  callHandler,
  type HandlerCall,
  handlerNames,
  isOvertaken,
  notRecorded,
  type OutcomeHandlers,
} from './handlers.ts';
import { type LeaseOptions, renewUntilLost } from './lease.ts';
import type { Run } from './places.ts';
import { handlerPauseMs } from './retry-delay.ts';

export type DeliveryOptions = LeaseOptions & {
  handlers: OutcomeHandlers;
  /** The number of failures after which an event becomes a dead letter. */
  maxTries: number;
  /** From 0 up to, not including, 1: spreads retries. */
  random: () => number;
};

/** How long a handler in a transaction may run after its signal has aborted. Then the transaction is cut off. */
export const lastPatienceMs = 5000;

/** The reason for which all runs end: their events are released at once, and no failure counts. */
export const stopped = new Error('The checkout was stopped while the handler ran.');

/**
 * Calls the handler of a claimed event under its lease, and records the result. Returns the time until the next try, in milliseconds;
 * `null` if there is none, or another instance may make it. Rejects if the store does.
 */
export async function deliverOutboxEvent(
  options: DeliveryOptions,
  event: ClaimedOutboxEvent,
  { place, ending, onLong }: Run,
): Promise<number | null> {
  const { store, handlers, log } = options;
  if (handlers[handlerNames[event.outcome]] === undefined) {
    await store.finishOutboxEvent(event);
    return null;
  }
  const released = new AbortController();
  try {
    await raceAbort(place, ending.signal);
    renewUntilLost(options, event, onLong, released.signal).then(
      (reason) => ending.abort(reason),
      () => {},
    );
    const result = await runHandler(options, event, ending.signal);
    if (result !== 'withdrawn') log({ type: result, ...namesOf(event) });
    return null;
  } catch (error) {
    // A handler may respond to its signal with an error of its own.
    return await recordFailure(options, event, ending.signal.aborted ? ending.signal.reason : error);
  } finally {
    released.abort();
  }
}

/** @throws what the handler throws; the signal's reason if it aborts while the handler still runs */
async function runHandler(
  options: DeliveryOptions,
  event: ClaimedOutboxEvent,
  signal: AbortSignal,
): Promise<'handlerSucceeded' | 'leaseLost' | 'withdrawn'> {
  const { store, handlers } = options;
  refuseLostTooOften(options, event);
  const { reference, orderId } = event;
  const table = orderId === null ? store.unmatched : store.orders;
  const { record } = await table.read(orderId ?? reference);
  if (record === null) throw notRecorded(event);
  if (isOvertaken(event, record)) {
    const wasOurs = await store.releaseOutboxEvent(event, { state: 'withdrawn' });
    return wasOurs ? 'withdrawn' : 'leaseLost';
  }
  const call: Call = (context) => callHandler(handlers, event, record, context);
  const isDone = await (store.transact === undefined
    ? raceAbort(call({ signal, transaction: undefined }), signal).then(() => store.finishOutboxEvent(event))
    : callInTransaction(options, store.transact.bind(null, event), call, signal));
  return isDone ? 'handlerSucceeded' : 'leaseLost';
}

/** Runs after which a lost run counts as a failure, so that retries slow down. */
const maxLostTries = 20;

/** Stops a handler that crashes its process: nobody counts its failures, and it would crash every process that runs it. */
function refuseLostTooOften({ maxTries }: DeliveryOptions, { wasLost, token }: ClaimedOutboxEvent): void {
  if (!wasLost || token <= Math.min(maxTries, maxLostTries)) return;
  const message = `The handler was started ${token - 1} times, and the last run neither ended nor failed: its process ended, or lost the store.`;
  throw new CheckoutError('internal_error', message);
}

type Call = (context: Pick<HandlerCall, 'signal' | 'transaction'>) => Promise<void>;

/** Waits for the handler even after its signal has aborted, because it uses the transaction; but not forever. */
async function callInTransaction(
  { wait }: DeliveryOptions,
  transact: (work: (transaction: unknown) => Promise<void>, cut: AbortSignal) => Promise<boolean>,
  call: Call,
  signal: AbortSignal,
): Promise<boolean> {
  const [handling, ended, cut] = [new AbortController(), new AbortController(), new AbortController()];
  whenAborted(signal, () => {
    handling.abort(signal.reason);
    wait(lastPatienceMs, ended.signal, true).then(
      () => cut.abort(signal.reason),
      () => {},
    );
  });
  try {
    return await transact((transaction) => call({ signal: handling.signal, transaction }), cut.signal);
  } catch (error) {
    // The database may have ended the transaction while the handler still runs; it will be called again.
    handling.abort(error);
    throw error;
  } finally {
    ended.abort();
  }
}

/** Records a failure: schedules the next try, or makes the event a dead letter. `token` counts the tries. */
async function recordFailure(
  { store, maxTries, random, log }: DeliveryOptions,
  event: OutboxEvent,
  error: unknown,
): Promise<number | null> {
  const { key, token, outcome } = event;
  const names = namesOf(event);
  const failure = failureOf(error);
  const isStopped = error === stopped;
  const pauseMs = token < maxTries ? handlerPauseMs(token, random()) : null;
  const afterMs = isStopped ? 0 : pauseMs;
  if (isStopped) log({ type: 'handlerInterrupted', ...names });
  else log({ type: 'handlerFailed', ...names, retryAfterMs: afterMs, error });
  const end: RunEnd = afterMs === null ? { state: 'dead', failure } : { state: 'waiting', afterMs, failure };
  if (!(await store.releaseOutboxEvent(event, end))) {
    log({ type: 'leaseLost', ...names });
    return null;
  }
  if (afterMs === null) {
    const message = `${handlerNames[outcome]} has failed ${token} times and ${key} is a dead letter; find out why, then call deadLetters.retry('${key}'), or run transfer-checkout dead-letters retry.`;
    log({
      type: 'deadLettered',
      ...names,
      error: new CheckoutError('internal_error', message, { cause: error }),
    });
  }
  return afterMs;
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
    return 'The thrown value has no text.';
  }
}
