import { remainingMs } from '../async/wait.ts';
import type { Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Reconciler } from './reconciler.ts';

export type PurgeOptions = {
  store: Store;
  /** `undefined` keeps everything. */
  purgeAfterDays: number | undefined;
  now: () => number;
  /** From 0 up to, not including, 1: keeps instances apart that were started together. */
  random: () => number;
  log: Log;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The same reconciler, whose runs also delete, about once an hour, the orders that are long over. */
export function purgeBesides(reconciler: Reconciler, options: PurgeOptions): Reconciler {
  const { store, purgeAfterDays, now, random, log } = options;
  if (purgeAfterDays === undefined) return reconciler;
  let lastMs = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;

  const purge = async (): Promise<void> => {
    if (remainingMs(lastMs, pauseMs, now()) > 0) return;
    lastMs = now();
    pauseMs = hourMs * (0.5 + random());
    const payments = await store.purge(purgeAfterDays * dayMs);
    if (payments > 0) log({ type: 'purged', payments });
  };

  return {
    async begin(options) {
      const run = await reconciler.begin(options);
      await purge().catch((error: unknown) => log({ type: 'backgroundFailed', error }));
      return run;
    },
  };
}
