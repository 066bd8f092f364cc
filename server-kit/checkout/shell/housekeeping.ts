import { remainingMs } from '../../client/async/wait.ts';
import { handledOutcomes, type OutcomeHandlers } from '../outbox/handlers.ts';
import type { Store } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';

export type HousekeepingOptions = {
  store: Store;
  handlers: OutcomeHandlers;
  /** `undefined` keeps everything. */
  purgeAfterDays?: number | undefined;
  now: () => number;
  /** From 0 up to, not including, 1: spreads instances that were started together. */
  random: () => number;
  log: Log;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Creates a function that makes parked events due which have a handler here, and deletes old settled orders. It does so at its first call,
 * and then about once an hour however often it is called: during a deployment, an older instance may park an event again. It never rejects.
 */
export function createHousekeeping(options: HousekeepingOptions): () => Promise<void> {
  const { store, purgeAfterDays, now, random, log } = options;
  const outcomes = handledOutcomes(options.handlers);
  let lastMs = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;

  async function unpark(): Promise<void> {
    if (outcomes.length > 0) await store.unpark({ outcomes, withinMs: minuteMs });
  }

  async function purge(): Promise<void> {
    if (purgeAfterDays === undefined) return;
    const records = await store.purge(purgeAfterDays * dayMs);
    if (records > 0) log({ type: 'purged', records });
  }

  return async () => {
    if (remainingMs(lastMs, pauseMs, now()) > 0) return;
    lastMs = now();
    pauseMs = hourMs * (0.5 + random());
    for (const work of [unpark, purge])
      await work().catch((error: unknown) => log({ type: 'backgroundFailed', error }));
  };
}
