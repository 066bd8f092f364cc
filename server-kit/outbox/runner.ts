import { CheckoutError } from '../../src/contract/index.ts';
import { createAbortGroup } from '../async/abort-group.ts';
import { joinSignals, raceAbort, settleWithin } from '../async/wait.ts';
import type { ClaimedOutboxEvent, OutboxEvent } from '../stores/outbox-event.ts';
import type { Store } from '../stores/store.ts';
import { type DeliveryOptions, deliverOutboxEvent, lastPatienceMs } from './deliver.ts';
import { handlerNames, hasHandlers } from './handlers.ts';
import { createHandlerLanes, maxLanes } from './lanes.ts';
import { holdLease, type LeaseOptions } from './lease.ts';
import { handlerPauseMs } from './retry-delay.ts';

/** Delivers the store's outbox events to the merchant's handlers. */
export type OutboxRunner = {
  /** Delivers what is due soon, including what is added meanwhile. */
  runSoon: () => void;
  /** Resolves when no handler runs. Does not wait for retries that are not due yet. */
  settled: () => Promise<void>;
  /**
   * Starts nothing more, and resolves when no handler runs. If `patience` aborts first, the signals of the running handlers
   * abort, and their events are released. Rejects if a handler still runs seven seconds later.
   */
  stop: (patience: AbortSignal) => Promise<void>;
};

export type OutboxRunnerOptions = LeaseOptions &
  DeliveryOptions & {
    /** From 0 up to, not including, 1: spreads retries. */
    random: () => number;
  };

/** The store's clock may be slightly behind ours. */
const marginMs = 100;

/** How long the store may take to release an event after its handler was cut off. */
const releaseMs = 2000;

export function createOutboxRunner(options: OutboxRunnerOptions): OutboxRunner {
  const { store, wait, log } = options;
  const hasNoHandlers = !hasHandlers(options.handlers);
  const runs = createAbortGroup();
  const retries = createAbortGroup();
  const lanes = createHandlerLanes({
    claim: () => store.claimOutboxEvent({ leaseMs: options.leaseMs }),
    run: async (event) => retrySoon(await runs.run((signal) => runHandler(options, event, signal))),
    maxRuns: maxRunsOf(store),
    wait,
    log,
  });
  const { settled } = lanes;

  function runSoon(): void {
    if (!hasNoHandlers) lanes.runSoon();
  }

  function retrySoon(afterMs: number | null): void {
    if (afterMs === null) return;
    retries.run((signal) => wait(afterMs + marginMs, signal, true).then(runSoon, () => {}));
  }

  return {
    runSoon,
    settled,
    async stop(patience) {
      lanes.close();
      retries.abort(stopped);
      await raceAbort(settled(), patience).catch(() => runs.abort(stopped));
      await settleWithin(wait, lastPatienceMs + releaseMs, settled());
    },
  };
}

/** A handler without a transaction holds no connection of the store. */
const maxRunsWithoutTransaction = 100;

const maxRunsOf = ({ transact, maxTransactions = maxLanes }: Store): number =>
  transact === undefined ? maxRunsWithoutTransaction : maxTransactions;

const stopped = new Error('The checkout was stopped while the handler ran.');

/** Delivers one event, and records the result. Returns the time until its next try, if there is one. */
async function runHandler(
  options: OutboxRunnerOptions,
  event: ClaimedOutboxEvent,
  interrupting: AbortSignal,
): Promise<number | null> {
  const { store, handlers, log } = options;
  if (handlers[handlerNames[event.outcome]] === undefined) {
    await store.finishOutboxEvent(event);
    return null;
  }
  const lease = holdLease(options, event);
  const { signal, release } = joinSignals(lease.signal, interrupting);
  try {
    const isDone = await deliverOutboxEvent(options, event, signal);
    log({ type: isDone ? 'handlerSucceeded' : 'leaseLost', ...namesOf(event) });
    return null;
  } catch (error) {
    return await recordFailure(options, event, error, interrupting);
  } finally {
    release();
    lease.release();
  }
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

/** Records a failure: schedules the next try, or makes the event a dead letter. `token` counts the tries. */
async function recordFailure(
  { store, maxTries, random, log }: OutboxRunnerOptions,
  event: OutboxEvent,
  error: unknown,
  interrupting: AbortSignal,
): Promise<number | null> {
  const { key, token, outcome } = event;
  const failure = failureOf(error);
  if (interrupting.aborted) {
    log({ type: 'handlerInterrupted', ...namesOf(event) });
    await store.failOutboxEvent(event, { retryAfterMs: 0, failure });
    return null;
  }
  const retryAfterMs = token < maxTries ? handlerPauseMs(token, random()) : null;
  log({ type: 'handlerFailed', ...namesOf(event), retryAfterMs, error });
  const wasOurs = await store.failOutboxEvent(event, { retryAfterMs, failure });
  if (!wasOurs) log({ type: 'leaseLost', ...namesOf(event) });
  else if (retryAfterMs === null) {
    const message = `${handlerNames[outcome]} has failed ${token} times and ${key} is a dead letter; find out why, then call deadLetters.retry('${key}'), or run transfer-checkout dead-letters retry.`;
    const deadLettered = new CheckoutError('internal_error', message, { cause: error });
    log({ type: 'deadLettered', ...namesOf(event), error: deadLettered });
  }
  return wasOurs ? retryAfterMs : null;
}

function namesOf({ key, orderId, outcome, reference, token }: OutboxEvent) {
  return { key, orderId, outcome, reference, token };
}
