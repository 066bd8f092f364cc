import { CheckoutError } from '../../../src/contract/index.ts';
import { noLongerNeeded, raceAbort, whenAborted } from '../../client/async/wait.ts';
import type { ClaimedOutboxEvent, EndedRun, OutboxEvent, RunEnd } from '../ports/store.ts';
import { callHandler, handlerNames, isOvertaken, notRecorded, type OutcomeHandlers } from './handlers.ts';
import { type LeaseOptions, renewUntilLost } from './lease.ts';
import { handlerPauseMs } from './retry-delay.ts';

export type DeliveryOptions = LeaseOptions & {
  handlers: OutcomeHandlers;
  /** The number of failures after which an event becomes a dead letter. */
  maxTries: number;
  /** From 0 up to, not including, 1: spreads retries. */
  random: () => number;
};

/** A run of an event's handler, from the event's claim until its result is recorded. */
export type Run = {
  /** Resolves when the handler may start. */
  place: Promise<unknown>;
  /** Aborts when the run no longer counts, for the reason that is recorded as its failure. */
  ending: AbortController;
  /** Called from time to time once the handler has run as long as its lease. */
  onLong: () => void;
};

/** How long a handler in a transaction may run after its signal has aborted. Then the transaction is cut off. */
export const lastPatienceMs = 5000;

/** The reason for which all runs end: their events are released at once, and no failure counts. */
export const stopped = new Error('The checkout was stopped while the handler ran.');

/**
 * Calls the handler of a claimed event under its lease, and records the result. Returns the time until an event of the record is due
 * again, in milliseconds; `null` if none is. Rejects if the store does.
 */
export async function deliverOutboxEvent(
  options: DeliveryOptions,
  event: ClaimedOutboxEvent,
  { place, ending, onLong }: Run,
): Promise<number | null> {
  const { store, handlers, log } = options;
  if (handlers[handlerNames[event.outcome]] === undefined) {
    return dueAfter(await store.finishOutboxEvent(event));
  }
  const released = new AbortController();
  try {
    await raceAbort(place, ending.signal);
    renewUntilLost(options, event, onLong, released.signal).then(
      (reason) => ending.abort(reason),
      () => {},
    );
    const ended = await runHandler(options, event, ending, released.signal);
    if (ended !== 'withdrawn')
      log({ type: ended === undefined ? 'leaseLost' : 'handlerSucceeded', ...namesOf(event) });
    return ended === 'withdrawn' ? 0 : dueAfter(ended);
  } catch (error) {
    // A handler may respond to its signal with an error of its own.
    const failure = ending.signal.aborted ? ending.signal.reason : error;
    // The database may have ended the transaction while the handler still runs; it will be called again.
    if (store.transact !== undefined) ending.abort(error);
    return await recordFailure(options, event, failure);
  } finally {
    released.abort(noLongerNeeded);
  }
}

/** @throws what the handler throws; the signal's reason if it aborts while the handler still runs */
async function runHandler(
  { store, handlers, wait, maxTries }: DeliveryOptions,
  event: ClaimedOutboxEvent,
  ending: AbortController,
  released: AbortSignal,
): Promise<EndedRun | 'withdrawn' | undefined> {
  refuseLostTooOften(event, maxTries);
  const { record } = event;
  if (record === null) throw notRecorded(event);
  if (isOvertaken(event, record)) {
    const wasOurs = await store.releaseOutboxEvent(event, { state: 'withdrawn' });
    return wasOurs ? 'withdrawn' : undefined;
  }
  const { signal } = ending;
  const call = (transaction?: unknown): Promise<void> =>
    callHandler(handlers, event, record, { signal, transaction });
  if (store.transact === undefined) {
    await raceAbort(call(), signal);
    return store.finishOutboxEvent(event);
  }
  const cut = new AbortController();
  // Until then the handler may use the transaction, whatever its signal says.
  whenAborted(signal, () => {
    wait(lastPatienceMs, released, true).then(
      () => cut.abort(signal.reason),
      () => {},
    );
  });
  return store.transact(event, call, cut.signal);
}

/** Another instance may have ended a lost event. */
const dueAfter = (ended: EndedRun | undefined): number | null => (ended?.hasNext === false ? null : 0);

/** Runs after which a lost run counts as a failure, so that retries slow down. */
const maxLostTries = 20;

/** Stops a handler that crashes its process: nobody counts its failures, and it would crash every process that runs it. */
function refuseLostTooOften({ wasLost, token }: ClaimedOutboxEvent, maxTries: number): void {
  if (!wasLost || token <= Math.min(maxTries, maxLostTries)) return;
  const message = `The handler was started ${token - 1} times, and the last run neither ended nor failed: its process ended, or lost the store.`;
  throw new CheckoutError('internal_error', message);
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
  let afterMs = token < maxTries ? handlerPauseMs(token, random()) : null;
  if (error === stopped) {
    afterMs = 0;
    log({ type: 'handlerInterrupted', ...names });
  } else {
    log({ type: 'handlerFailed', ...names, retryAfterMs: afterMs, error });
  }
  const end: RunEnd = afterMs === null ? { state: 'dead', failure } : { state: 'waiting', afterMs, failure };
  if (!(await store.releaseOutboxEvent(event, end))) {
    log({ type: 'leaseLost', ...names });
    return null;
  }
  if (afterMs === null) {
    const message = `${handlerNames[outcome]} has failed ${token} times and ${key} is a dead letter; find out why, then call deadLetters.retry('${key}'), or run transfer-checkout dead-letters retry.`;
    const deadLetter = new CheckoutError('internal_error', message, { cause: error });
    log({ type: 'deadLettered', ...names, error: deadLetter });
  }
  // Behind a dead letter, the next event may be due.
  return afterMs ?? 0;
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
