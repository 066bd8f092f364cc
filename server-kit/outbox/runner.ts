import { CheckoutError } from '../../src/contract/index.ts';
import { joinSignals, raceAbort, settleWithin } from '../async/wait.ts';
import type { ClaimedOutboxEvent, OutboxEvent } from '../stores/outbox-event.ts';
import type { Store } from '../stores/store.ts';
import { type DeliveryOptions, deliverOutboxEvent, lastPatienceMs } from './deliver.ts';
import { handlerNames, hasHandlers } from './handlers.ts';
import { createHandlerLanes, maxLanes } from './lanes.ts';
import { holdLease, type LeaseOptions } from './lease.ts';
import { handlerPauseMs } from './retry-delay.ts';

/** Calls the merchant's handlers for what the store holds to be told. */
export type OutboxRunner = {
  /** Runs what is due, soon. What is added meanwhile is run too. */
  runSoon: () => void;
  /** Resolves when no handler runs. Retries that wait for their time are not waited for. */
  settled: () => Promise<void>;
  /**
   * Begins nothing more, and resolves when no handler runs. When `patience` aborts before, the signals of those that run
   * abort, and their effects are given back. Rejects when one runs on all the same, for five seconds.
   */
  stop: (patience: AbortSignal) => Promise<void>;
};

export type OutboxRunnerOptions = LeaseOptions &
  DeliveryOptions & {
    /** From 0 up to, not including, 1: spreads retries. */
    random: () => number;
  };

/** The store's clock may be a little behind ours. */
const marginMs = 100;

export function createOutboxRunner(options: OutboxRunnerOptions): OutboxRunner {
  const { store, wait, log } = options;
  const leavesAllToOthers = !hasHandlers(options.handlers);
  const breakingOff = new AbortController();
  const retries = new Set<AbortController>();
  const lanes = createHandlerLanes({
    claim: () => store.claimOutboxEvent({ leaseMs: options.leaseMs }),
    run: async (event) => retrySoon(await runHandler(options, event, breakingOff.signal)),
    maxRuns: maxRunsOf(store),
    wait,
    log,
  });
  const { settled } = lanes;

  function runSoon(): void {
    if (!leavesAllToOthers) lanes.runSoon();
  }

  function retrySoon(afterMs: number | null): void {
    if (afterMs === null) return;
    const retry = new AbortController();
    retries.add(retry);
    wait(afterMs + marginMs, retry.signal, true)
      .then(runSoon, () => {})
      .finally(() => retries.delete(retry));
  }

  return {
    runSoon,
    settled,
    async stop(patience) {
      lanes.close();
      for (const retry of retries) retry.abort();
      await raceAbort(settled(), patience).catch(() => breakingOff.abort(stopped));
      await settleWithin(wait, lastPatienceMs, settled());
    },
  };
}

/** A handler without a transaction holds a promise, and nothing of the store. */
const maxRunsWithoutTransaction = 100;

/** A store that does not say how many transactions it can hold gets as many as there are lanes. */
const maxRunsOf = ({ transact, maxTransactions = maxLanes }: Store): number =>
  transact === undefined ? maxRunsWithoutTransaction : maxTransactions;

const stopped = new Error('The checkout was stopped while the handler ran.');

/** Runs one effect to its end, good or bad. Gives the time until its next try, if there is one. */
async function runHandler(
  options: OutboxRunnerOptions,
  event: ClaimedOutboxEvent,
  breakingOff: AbortSignal,
): Promise<number | null> {
  const { store, handlers, log } = options;
  if (handlers[handlerNames[event.outcome]] === undefined) {
    await store.finishOutboxEvent(event);
    return null;
  }
  const lease = holdLease(options, event);
  const { signal, release } = joinSignals(lease.signal, breakingOff);
  try {
    const isDone = await deliverOutboxEvent(options, event, signal);
    log({ type: isDone ? 'handlerSucceeded' : 'leaseLost', ...namesOf(event) });
    return null;
  } catch (error) {
    return await giveBack(options, event, error, breakingOff);
  } finally {
    release();
    lease.release();
  }
}

/** In characters. Errors of HTTP clients and databases hold whole bodies and statements at times. */
const longestFailure = 2000;

/** Anything can be thrown, and not all of it can be turned into a text. */
function failureOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, longestFailure);
  } catch {
    return 'What was thrown cannot be said.';
  }
}

/** After a failure. `token` counts the tries. */
async function giveBack(
  { store, maxTries, random, log }: OutboxRunnerOptions,
  event: OutboxEvent,
  error: unknown,
  breakingOff: AbortSignal,
): Promise<number | null> {
  const { key, token, outcome } = event;
  const failure = failureOf(error);
  if (breakingOff.aborted) {
    log({ type: 'handlerInterrupted', ...namesOf(event) });
    await store.failOutboxEvent(event, { retryAfterMs: 0, failure });
    return null;
  }
  const retryAfterMs = token < maxTries ? handlerPauseMs(token, random()) : null;
  log({ type: 'handlerFailed', ...namesOf(event), retryAfterMs, error });
  const wasOurs = await store.failOutboxEvent(event, { retryAfterMs, failure });
  if (!wasOurs) log({ type: 'leaseLost', ...namesOf(event) });
  else if (retryAfterMs === null) {
    const message = `${handlerNames[outcome]} has failed ${token} times and ${key} is set aside; find out why, then call deadLetters.retry('${key}'), or run transfer-checkout dead-letters retry.`;
    const setAside = new CheckoutError('internal_error', message, { cause: error });
    log({ type: 'deadLettered', ...namesOf(event), error: setAside });
  }
  return wasOurs ? retryAfterMs : null;
}

function namesOf({ key, orderId, outcome, reference, token }: OutboxEvent) {
  return { key, orderId, outcome, reference, token };
}
