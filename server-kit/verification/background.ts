import { abortAfter, raceAbort, settleWithin, type Wait } from '../async/wait.ts';
import type { OutboxRunner } from '../outbox/runner.ts';
import type { Log } from '../telemetry/log.ts';
import type { ReconcileCounts, Reconciler } from './reconciler.ts';

/** What the checkout does although nobody waits for it. */
export type Background = {
  /** Looks up soon what callbacks have named. */
  reconcileSoon: () => void;
  /** One run of the reconciler, and then of the handlers that are due: waits for these for no more than 20 seconds. */
  runRound: () => Promise<ReconcileCounts>;
  /** From now on reconciles, and runs what other instances have left, every few seconds. Calling it again does nothing. */
  start: () => void;
  /** Resolves when nothing runs that was begun here. */
  settled: () => Promise<void>;
  /** Ends all of it, for good; `patienceMs` is how long handlers may take to end by themselves. */
  stop: (patienceMs: number) => Promise<void>;
};

export type BackgroundOptions = {
  runner: OutboxRunner;
  reconciler: Reconciler;
  wait: Wait;
  random: () => number;
  log: Log;
  /** Called in each round, before anything else. */
  onRound: () => void;
  /** Aborted by `stop`. */
  stopping: AbortController;
};

/** Between two rounds, give or take a half, so that instances that were started together do not stay together. */
const roundMs = 4000;

/** How long a caller of `runRound` waits for handlers; they go on afterwards. */
const handlerPatienceMs = 20_000;

export function createBackground(options: BackgroundOptions): Background {
  const { runner, reconciler, wait, random, log, stopping } = options;
  const runs = new Set<Promise<unknown>>();
  // Apart, so that what a callback has named does not wait for the budget behind payments that are merely due.
  const woken = createLoop(options, runs, true);
  const due = createLoop(options, runs, false);
  let isStarted = false;

  const reconciled = async (): Promise<void> => {
    while (woken.running() || due.running() || runs.size > 0)
      await Promise.all([woken.running(), due.running(), ...runs]);
  };

  const runRounds = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      options.onRound();
      runner.runSoon();
      due.runSoon();
      await wait(roundMs * (0.5 + random()), stopping.signal, true);
    }
  };

  return {
    reconcileSoon: woken.runSoon,
    async runRound() {
      const counts = await (await reconciler.begin()).ended;
      runner.runSoon();
      await settleWithin(wait, handlerPatienceMs, runner.settled()).catch(() => {});
      return counts;
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
      const { signal, cancel } = abortAfter(wait, patienceMs);
      try {
        // A look that takes longer is made again, by whoever is there then.
        await raceAbort(reconciled(), signal).catch(() => {});
        await runner.stop(signal);
      } finally {
        cancel();
      }
    },
  };
}

type Loop = {
  runSoon: () => void;
  /** Resolves when it ends; `undefined` when it does not run. */
  running: () => Promise<void> | undefined;
};

/** Begins runs of the reconciler one after the other, as long as there may be more. Those that have begun are in `runs`. */
function createLoop(
  { reconciler, stopping: { signal }, log }: BackgroundOptions,
  runs: Set<Promise<unknown>>,
  isWoken: boolean,
): Loop {
  let running: Promise<void> | undefined;
  let isAsked = false;
  const reconcile = async (): Promise<void> => {
    try {
      while (isAsked && !signal.aborted) {
        isAsked = false;
        const { hasMore, ended } = await reconciler.begin({ isWoken });
        isAsked ||= hasMore;
        const run = ended.finally(() => runs.delete(run));
        runs.add(run);
      }
    } catch (error) {
      if (!signal.aborted) log({ type: 'backgroundFailed', error });
    }
  };
  const runSoon = (): void => {
    if (signal.aborted) return;
    isAsked = true;
    running ??= reconcile().finally(() => {
      running = undefined;
      // Asked between the end of its loop and now.
      if (isAsked) runSoon();
    });
  };
  return { runSoon, running: () => running };
}
