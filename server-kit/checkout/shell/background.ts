import { abortAfter, raceAbort, settleWithin, type Wait } from '../../client/async/wait.ts';
import type { OutboxRunner } from '../outbox/runner.ts';
import type { DueRecord } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { ReconcileCounts, Reconciler } from './reconciler.ts';

/** The work that the checkout does without a request. */
export type Background = {
  /** Verifies what a callback has named and woken for this instance. */
  verifyWoken: (woken: DueRecord) => void;
  /** Runs the reconciler once, then the handlers that are due; waits up to 20 seconds for the handlers and the purge. */
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
  const { runner, wait, random, log, stopping } = options;
  const runs = new Set<Promise<unknown>>();
  const due = createLoop(options, runs);
  let isStarted = false;

  const reconciled = async (): Promise<void> => {
    while (due.running() || runs.size > 0) await Promise.all([due.running(), ...runs]);
  };

  const notifyRound = (): void => {
    try {
      options.onRound();
    } catch (error) {
      log({ type: 'backgroundFailed', error });
    }
  };

  const runRounds = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      notifyRound();
      runner.runSoon();
      due.runSoon();
      track(runs, options.purge());
      await wait(roundMs * (0.5 + random()), stopping.signal, true);
    }
  };

  return {
    verifyWoken(woken) {
      const verified = options.reconciler.verifyWoken(woken).catch((error: unknown) => {
        if (!stopping.signal.aborted) log({ type: 'backgroundFailed', error });
      });
      track(runs, verified);
    },
    async runRound() {
      const purged = track(runs, options.purge());
      // The events that the verifications add are delivered with their writes.
      runner.runSoon();
      try {
        return await (await options.reconciler.begin()).ended;
      } finally {
        const settled = Promise.all([runner.settled(), purged]);
        await settleWithin(wait, roundPatienceMs, settled).catch(() => {});
      }
    },
    start() {
      if (isStarted) return;
      isStarted = true;
      runRounds().catch((error: unknown) => {
        if (!stopping.signal.aborted) log({ type: 'backgroundFailed', error });
      });
    },
    async settled() {
      await reconciled();
      await runner.settled();
    },
    async stop(patienceMs) {
      stopping.abort();
      const { signal, end } = abortAfter(wait, patienceMs);
      try {
        // A verification that takes longer is made again by another instance, or after the next start.
        await raceAbort(reconciled(), signal).catch(() => {});
        await runner.stop(signal);
      } finally {
        end();
      }
    },
  };
}

type Loop = {
  runSoon: () => void;
  /** Resolves when it ends; `undefined` when it does not run. */
  running: () => Promise<void> | undefined;
};

/** Keeps work in `runs` until it has ended. */
function track<T>(runs: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  const run = work.finally(() => runs.delete(run));
  runs.add(run);
  return run;
}

/** Creates a loop that starts runs of the reconciler while more payments may be due, and keeps the running ones in `runs`. */
function createLoop(options: BackgroundOptions, runs: Set<Promise<unknown>>): Loop {
  const { reconciler, log } = options;
  const { signal } = options.stopping;
  let running: Promise<void> | undefined;
  let isRequested = false;
  const reconcile = async (): Promise<void> => {
    try {
      while (isRequested && !signal.aborted) {
        isRequested = false;
        const { hasMore, ended } = await reconciler.begin();
        isRequested ||= hasMore;
        track(runs, ended);
      }
    } catch (error) {
      if (!signal.aborted) log({ type: 'backgroundFailed', error });
    }
  };
  const runSoon = (): void => {
    if (signal.aborted) return;
    isRequested = true;
    running ??= reconcile().finally(() => {
      running = undefined;
      // Requested after the loop ended.
      if (isRequested) runSoon();
    });
  };
  return { runSoon, running: () => running };
}
