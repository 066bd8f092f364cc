import type { Wait } from '../../core/time.ts';
import { handledOutcomes, type OutcomeHandlers } from '../outbox/handlers.ts';
import type { OutboxRunner } from '../outbox/runner.ts';
import type { DueRecord, Store } from '../store.ts';
import type { Log } from '../telemetry/log.ts';
import { abortAfter, raceAbort, remainingMs, resolveWithin } from '../wait.ts';
import type { ReconcileCounts, Reconciler } from './reconciler.ts';

export type Background = ReturnType<typeof createBackground>;

type Parts = {
  store: Pick<Store, 'readStatus'>;
  runner: OutboxRunner;
  reconciler: Reconciler;
  /** Called in each round, beside the reconciler. Never rejects. */
  housekeeping: () => Promise<void>;
  now: () => number;
  wait: Wait;
  random: () => number;
  log: Log;
  /** Aborted by `stop`. */
  stopping: AbortController;
};

/** Between two rounds, plus or minus a half, which spreads instances that were started together. */
const roundMs = 4000;

/** How long `runRound` waits for handlers and the housekeeping; they continue afterwards. */
const roundPatienceMs = 20_000;

/** Rounds are seconds apart, and those of a scheduler should be a minute apart at most. */
const overdueMs = 60_000;

/** Creates the work that the checkout does without a request. */
export function createBackground(parts: Parts) {
  const { reconciler, runner, housekeeping, wait, random, log, stopping } = parts;
  const runs = new Set<Promise<unknown>>();
  let isStarted = false;
  const track = <T>(work: Promise<T>): Promise<T> => {
    const run = work.finally(() => runs.delete(run));
    runs.add(run);
    return run;
  };
  const watch = createRoundWatch(parts, track);
  /** What a stop ends has not failed. */
  const logFailure = (error: unknown): void => {
    if (!stopping.signal.aborted) log({ type: 'backgroundFailed', error });
  };
  const verifyDue = createDueRuns(parts, track);
  const beginRound = async (): Promise<void> => {
    watch.noteRound();
    runner.runSoon();
    track(verifyDue().catch(logFailure));
    track(housekeeping());
  };
  const runRounds = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      beginRound().catch(logFailure);
      await wait(roundMs * (0.5 + random()), stopping.signal, true);
    }
  };
  const verified = async (): Promise<void> => {
    while (runs.size > 0) await Promise.allSettled(runs);
  };

  return {
    /** Verifies what a callback has named and woken for this instance. */
    verifyWoken(woken: DueRecord): void {
      const verified = reconciler.verify([woken]).then(({ ended }) => ended);
      track(verified.catch(logFailure));
    },
    /** Called after each request: warns once if nobody runs rounds. */
    noteRequest: watch.noteRequest,
    /** Runs the handlers and the verifications that are due once; waits up to 20 seconds for the handlers and the housekeeping. */
    async runRound(): Promise<ReconcileCounts> {
      watch.noteRound();
      const kept = track(housekeeping());
      // The events that the verifications add are delivered with their writes.
      runner.runSoon();
      try {
        return await (await reconciler.begin()).ended;
      } finally {
        const settled = Promise.all([runner.settled(), kept]);
        await resolveWithin(wait, roundPatienceMs, settled);
      }
    },
    /** Starts a round every few seconds, which also runs what other instances have left. A second call does nothing. */
    start(): void {
      if (isStarted) return;
      isStarted = true;
      runRounds().catch(logFailure);
    },
    /** Resolves when nothing runs that was started here. */
    async settled(): Promise<void> {
      await verified();
      await runner.settled();
    },
    /** Ends everything for good; `patienceMs` is how long handlers may take to end by themselves. */
    async stop(patienceMs: number): Promise<void> {
      stopping.abort();
      const { signal, end } = abortAfter(wait, patienceMs);
      try {
        // A verification that takes longer is made again by another instance, or after the next start.
        await raceAbort(verified(), signal).catch(() => {});
        await runner.stop(signal);
      } finally {
        end();
      }
    },
  };
}

/**
 * Creates the check that rounds run. Without one in this process, they may run in another: so a verification that has long been due
 * decides. It is made at requests, because a timer would keep the process alive.
 */
function createRoundWatch({ store, now, log }: Parts, track: (work: Promise<unknown>) => unknown) {
  let isOver = false;
  let checkedAtMs = now();
  const check = async (): Promise<void> => {
    try {
      const { checkLagMs } = await store.readStatus({ mostWaiting: 0 });
      if (isOver || checkLagMs < overdueMs) return;
      isOver = true;
      log({ type: 'roundsMissing', checkLagMs, message });
    } catch (error) {
      log({ type: 'storeFailed', error });
    }
  };
  return {
    noteRound(): void {
      isOver = true;
    },
    noteRequest(): void {
      if (isOver || Math.abs(now() - checkedAtMs) < overdueMs) return;
      checkedAtMs = now();
      track(check());
    },
  };
}

const message =
  'Verifications have been due for over a minute, and this process has run no round: payments are found late, or never. Call ' +
  'checkout.start() on each instance, or checkout.reconcile() or POST {base}/reconcile every minute from a scheduler.';

/** Creates a function that verifies what is due, while more may be. If it is called while it runs, it runs once more. */
function createDueRuns(
  { reconciler, stopping }: Parts,
  track: (work: Promise<unknown>) => unknown,
): () => Promise<void> {
  let mayBeDue = false;
  let isRunning = false;
  return async () => {
    mayBeDue = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (mayBeDue && !stopping.signal.aborted) {
        mayBeDue = false;
        const { hasMore, ended } = await reconciler.begin();
        mayBeDue ||= hasMore;
        track(ended);
      }
    } finally {
      isRunning = false;
    }
  };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Creates a function that makes the waiting and parked events due that have a handler here. It does so at its first call, which is a start,
 * and later about once an hour, however often it is called, with those that an older instance without the handler has parked during a
 * deployment. It never rejects.
 */
export function createHousekeeping({
  store,
  now,
  random,
  log,
  handlers,
}: {
  store: Store;
  handlers: OutcomeHandlers;
  now: () => number;
  /** From 0 up to, not including, 1: spreads instances that were started together. */
  random: () => number;
  log: Log;
}): () => Promise<void> {
  const outcomes = handledOutcomes(handlers);
  let lastMs = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;

  return async () => {
    if (remainingMs(lastMs, pauseMs, now()) > 0) return;
    const isStart = lastMs === Number.NEGATIVE_INFINITY;
    lastMs = now();
    pauseMs = hourMs * (0.5 + random());
    if (outcomes.length === 0) return;
    await store
      .resumeOutboxEvents({ outcomes, withinMs: minuteMs, isStart })
      .catch((error: unknown) => log({ type: 'backgroundFailed', error }));
  };
}
