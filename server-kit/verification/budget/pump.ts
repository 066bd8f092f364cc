import type { Wait } from '../../async/wait.ts';
import type { Budget } from './budget.ts';

export type PumpOptions = {
  budget: Budget;
  wait: Wait;
  /** From 0 up to, not including, 1: spreads instances that wait for the same budget. */
  random: () => number;
  stopping: AbortSignal;
  /** How many verifications could start now. */
  wanted: () => number;
  /** Starts this many, and returns how many permits are left over. */
  start: (permits: number) => number;
  /** Called when nothing more can start now. */
  onShort: () => void;
  /** Called when the store has failed. */
  onFailure: (error: unknown) => void;
};

/** Takes permits from the budget while verifications are waiting. */
export type Pump = {
  /** Must be called when something may have changed. */
  run: () => void;
  /** Whether it waits for the budget. */
  isPausing: () => boolean;
};

/** The share of the time until the next permit. */
const jitterShare = 0.1;
const maxJitterMs = 20;

export function createPump(options: PumpOptions): Pump {
  const { budget, wait, random, stopping, wanted, start, onShort, onFailure } = options;
  let isRunning = false;
  let isPausing = false;

  const pause = async (ms: number): Promise<void> => {
    isPausing = true;
    const jitterMs = Math.min(ms * jitterShare, maxJitterMs) * random();
    await wait(ms + jitterMs, stopping, true).catch(() => {});
    isPausing = false;
  };
  const takeAll = async (): Promise<void> => {
    for (;;) {
      const count = wanted();
      if (count === 0 && !budget.hasSpent()) return;
      const { granted, retryAfterMs } = await budget.take(count);
      budget.spend(-start(granted));
      if (granted === count) continue;
      onShort();
      if (stopping.aborted) return;
      await pause(retryAfterMs);
    }
  };
  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    takeAll()
      .catch(onFailure)
      .finally(() => {
        isRunning = false;
        // Requested after the loop ended.
        if ((wanted() > 0 || budget.hasSpent()) && !stopping.aborted) run();
        else onShort();
      });
  };
  return { run, isPausing: () => isPausing };
}
