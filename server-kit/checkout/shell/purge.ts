import { remainingMs } from '../../client/async/wait.ts';
import type { Store } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';

export type PurgeOptions = {
  store: Store;
  /** `undefined` keeps everything. */
  purgeAfterDays: number | undefined;
  now: () => number;
  /** From 0 up to, not including, 1: spreads instances that were started together. */
  random: () => number;
  log: Log;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Creates a function that deletes old settled orders, about once an hour however often it is called. It never rejects. */
export function createPurge({ store, purgeAfterDays, now, random, log }: PurgeOptions): () => Promise<void> {
  if (purgeAfterDays === undefined) return async () => {};
  let lastMs = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;
  return async () => {
    if (remainingMs(lastMs, pauseMs, now()) > 0) return;
    lastMs = now();
    pauseMs = hourMs * (0.5 + random());
    try {
      const records = await store.purge(purgeAfterDays * dayMs);
      if (records > 0) log({ type: 'purged', records });
    } catch (error) {
      log({ type: 'backgroundFailed', error });
    }
  };
}
