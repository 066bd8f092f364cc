import { abortAfter, raceAbort, resolveWithin, type Wait } from '../../client/async/wait.ts';
import type { OutboxRunner } from '../outbox/runner.ts';
import type { DueRecord } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { ReconcileCounts, Reconciler } from './reconciler.ts';

export type Background = ReturnType<typeof createBackground>;

export type BackgroundOptions = {
  runner: OutboxRunner;
  reconciler: Reconciler;
  /** Called in each round, beside the reconciler. Never rejects. */
  housekeeping: () => Promise<void>;
  wait: Wait;
  random: () => number;
  log: Log;
  onRound: () => void;
  /** Aborted by `stop`. */
  stopping: AbortController;
};

/** Between two rounds, plus or minus a half, which spreads instances that were started together. */
const roundMs = 4000;

/** How long `runRound` waits for handlers and the housekeeping; they continue afterwards. */
const roundPatienceMs = 20_000;

/** Creates the work that the checkout does without a request. */
export function createBackground(options: BackgroundOptions) {
  const { reconciler, runner, housekeeping, onRound, wait, random, log, stopping } = options;
  const runs = new Set<Promise<unknown>>();
  let isStarted = false;

  const track = <T>(work: Promise<T>): Promise<T> => {
    const run = work.finally(() => runs.delete(run));
    runs.add(run);
    return run;
  };
  /** What a stop ends has not failed. */
  const logFailure = (error: unknown): void => {
    if (!stopping.signal.aborted) log({ type: 'backgroundFailed', error });
  };
  const verifyDue = createDueRuns(options, track);
  const beginRound = async (): Promise<void> => {
    runner.runSoon();
    track(verifyDue().catch(logFailure));
    track(housekeeping());
    onRound();
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
    /** Runs the handlers and the verifications that are due once; waits up to 20 seconds for the handlers and the housekeeping. */
    async runRound(): Promise<ReconcileCounts> {
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

/** Creates a function that verifies what is due, while more may be. If it is called while it runs, it runs once more. */
function createDueRuns(
  { reconciler, stopping }: BackgroundOptions,
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
