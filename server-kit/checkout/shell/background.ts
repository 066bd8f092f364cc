import { abortAfter, raceAbort, settleWithin, type Wait } from '../../client/async/wait.ts';
import type { OutboxRunner } from '../outbox/runner.ts';
import type { DueRecord } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { ReconcileCounts, Reconciler } from './reconciler.ts';

/** The work that the checkout does without a request. */
export type Background = {
  /** Verifies what a callback has named and woken for this instance. */
  verifyWoken: (woken: DueRecord) => void;
  /** Runs the handlers and the verifications that are due once; waits up to 20 seconds for the handlers and the purge. */
  runRound: () => Promise<ReconcileCounts>;
  /** Starts a round every few seconds, which also runs what other instances have left. A second call does nothing. */
  start: () => void;
  /** Resolves when nothing runs that was started here. */
  settled: () => Promise<void>;
  /** Ends everything for good; `patienceMs` is how long handlers may take to end by themselves. */
  stop: (patienceMs: number) => Promise<void>;
};

export type BackgroundOptions = {
  runner: OutboxRunner;
  reconciler: Reconciler;
  /** Called in each round, beside the reconciler. Never rejects. */
  purge: () => Promise<void>;
  wait: Wait;
  random: () => number;
  log: Log;
  /** Called at the start of each round. */
  onRound: () => void;
  /** Aborted by `stop`. */
  stopping: AbortController;
};

/** Between two rounds, plus or minus a half, which spreads instances that were started together. */
const roundMs = 4000;

/** How long `runRound` waits for handlers and the purge; they continue afterwards. */
const roundPatienceMs = 20_000;

export function createBackground(options: BackgroundOptions): Background {
  const { reconciler, runner, purge, onRound, wait, random, log, stopping } = options;
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
  const verifyDue = createDueRuns(options, track, logFailure);
  const beginRound = (): void => {
    try {
      onRound();
    } catch (error) {
      log({ type: 'backgroundFailed', error });
    }
    runner.runSoon();
    verifyDue();
    track(purge());
  };
  const runRounds = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      beginRound();
      await wait(roundMs * (0.5 + random()), stopping.signal, true);
    }
  };
  const verified = async (): Promise<void> => {
    while (runs.size > 0) await Promise.allSettled(runs);
  };

  return {
    verifyWoken(woken) {
      track(
        reconciler
          .verify([woken])
          .then(({ ended }) => ended)
          .catch(logFailure),
      );
    },
    async runRound() {
      const purged = track(purge());
      // The events that the verifications add are delivered with their writes.
      runner.runSoon();
      try {
        return await (await reconciler.begin()).ended;
      } finally {
        const settled = Promise.all([runner.settled(), purged]);
        await settleWithin(wait, roundPatienceMs, settled).catch(() => {});
      }
    },
    start() {
      if (isStarted) return;
      isStarted = true;
      runRounds().catch(logFailure);
    },
    async settled() {
      await verified();
      await runner.settled();
    },
    async stop(patienceMs) {
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

/** Creates a function that starts verifying what is due, while more may be; or goes on, where it runs already. */
function createDueRuns(
  { reconciler, stopping }: BackgroundOptions,
  track: (work: Promise<unknown>) => unknown,
  logFailure: (error: unknown) => void,
): () => void {
  let mayBeDue = false;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      while (mayBeDue && !stopping.signal.aborted) {
        mayBeDue = false;
        const { hasMore, ended } = await reconciler.begin();
        mayBeDue ||= hasMore;
        track(ended);
      }
    } catch (error) {
      logFailure(error);
    } finally {
      isRunning = false;
    }
  };
  return () => {
    mayBeDue = true;
    if (!isRunning) track(run());
  };
}
