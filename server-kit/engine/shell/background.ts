import type { Wait } from '../../core/time.ts';
import { handledOutcomes, type OutcomeHandlers } from '../outbox/handlers.ts';
import type { OutboxRunner } from '../outbox/runner.ts';
import type { Store } from '../store.ts';
import type { Log } from '../telemetry/log.ts';
import { abortAfter, raceAbort, remainingMs, resolveWithin } from '../wait.ts';
import type { ReconcileCounts, Reconciler } from './reconciler.ts';

export type Background = ReturnType<typeof createBackground>;

type Parts = {
  store: Store;
  handlers: OutcomeHandlers;
  runner: OutboxRunner;
  reconciler: Reconciler;
  now: () => number;
  wait: Wait;
  random: () => number;
  log: Log;
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
  const { reconciler, runner, wait, random, stopping } = parts;
  const { track, inBackground, logFailure } = reconciler;
  let isStarted = false;
  const watch = createRoundWatch(parts);
  const keepHouse = createHousekeeping(parts);
  const verifyDue = createDueRuns(parts);
  const beginRound = (): void => {
    watch.noteRound();
    runner.runSoon();
    inBackground(verifyDue());
    track(keepHouse());
  };
  const runRounds = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      beginRound();
      await wait(roundMs * (0.5 + random()), stopping.signal, true);
    }
  };

  return {
    /** Called after each request: warns once if nobody runs rounds. */
    noteRequest: watch.noteRequest,
    /** Runs the handlers and the verifications that are due once; waits up to 20 seconds for the handlers and the housekeeping. */
    async runRound(): Promise<ReconcileCounts> {
      watch.noteRound();
      const kept = track(keepHouse());
      // The events that the verifications add are delivered with their writes.
      runner.runSoon();
      try {
        return await (await reconciler.begin()).ended;
      } finally {
        await resolveWithin(wait, roundPatienceMs, Promise.all([runner.settled(), kept]));
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
      await reconciler.settled();
      await runner.settled();
    },
    /** Ends everything for good; `patienceMs` is how long handlers may take to end by themselves. */
    async stop(patienceMs: number): Promise<void> {
      stopping.abort();
      const { signal, end } = abortAfter(wait, patienceMs);
      try {
        // A verification that takes longer is made again by another instance, or after the next start.
        await raceAbort(reconciler.settled(), signal).catch(() => {});
        await runner.stop(signal);
      } finally {
        end();
      }
    },
  };
}

/** Creates the check that rounds run, here or in another process: is a verification long overdue? A timer would keep the process alive, so requests ask. */
function createRoundWatch({ store, now, log, reconciler }: Parts) {
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
      reconciler.track(check());
    },
  };
}

const message =
  'Verifications have been due for over a minute, and this process has run no round: payments are found late, or never. Call ' +
  'checkout.start() on each instance, or checkout.reconcile() or POST {base}/reconcile every minute from a scheduler.';

/** Creates a function that verifies what is due, while more may be. If it is called while it runs, it runs once more. */
function createDueRuns({ reconciler, stopping }: Parts): () => Promise<void> {
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
        reconciler.track(ended);
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
 * and later about once an hour, with those that an older instance without the handler has parked during a deployment. It never rejects.
 */
function createHousekeeping({ store, now, random, log, handlers }: Parts): () => Promise<void> {
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
