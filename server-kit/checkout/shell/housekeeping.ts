import { handledOutcomes, type OutcomeHandlers } from '../outbox/handlers.ts';
import type { Store } from '../ports/store.ts';
import { remainingMs } from '../ports/wait.ts';
import type { Log } from '../telemetry/log.ts';

export type HousekeepingOptions = {
  store: Store;
  handlers: OutcomeHandlers;
  now: () => number;
  /** From 0 up to, not including, 1: spreads instances that were started together. */
  random: () => number;
  log: Log;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Creates a function that makes the waiting and parked events due that have a handler here. It does so at its first call, which is a start,
 * and later about once an hour, however often it is called, with those that an older instance without the handler has parked during a
 * deployment. It never rejects.
 */
export function createHousekeeping(options: HousekeepingOptions): () => Promise<void> {
  const { store, now, random, log } = options;
  const outcomes = handledOutcomes(options.handlers);
  let lastMs = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;

  return async () => {
    if (remainingMs(lastMs, pauseMs, now()) > 0) return;
    const isStart = lastMs === Number.NEGATIVE_INFINITY;
    lastMs = now();
    pauseMs = hourMs * (0.5 + random());
    if (outcomes.length === 0) return;
    await store
      .resume({ outcomes, withinMs: minuteMs, isStart })
      .catch((error: unknown) => log({ type: 'backgroundFailed', error }));
  };
}
