import { createMeanRate } from '../fairness/mean-rate.ts';
import type { Store } from '../ports/store.ts';
import { type BudgetEvent, nextBudget, type Permits, type Refusal } from './permits.ts';

/** The ceiling of verifications per second for all instances together. The rate follows the service's limit, if it has one. */
export const defaultMaxVerificationsPerSecond = 300;

/** The measured use is about the mean of this time. */
const averagedMs = 10_000;

export type BudgetOptions = { store: Pick<Store, 'updateBudget'>; maxPerSecond: number; now: () => number };

export type Budget = ReturnType<typeof createBudget>;

/** Creates this instance's access to the budget that all instances share. */
export function createBudget({ store, maxPerSecond, now }: BudgetOptions) {
  const use = createMeanRate(averagedMs, now);
  let ratePerSecond: number | undefined;
  /** The permits that were drawn ahead. */
  let kept = 0;

  const update = async (event: BudgetEvent): Promise<Permits> => {
    const permits = await store.updateBudget((state, nowMs) =>
      nextBudget(state, event, { maxPerSecond, nowMs }),
    );
    ratePerSecond = permits.ratePerSecond;
    return permits;
  };
  return {
    /** Returns how many of these verifications may start now, and after how many milliseconds the others may ask again. */
    async take(wanted: number): Promise<Pick<Permits, 'granted' | 'retryAfterMs'>> {
      const drawn = kept < wanted ? await update({ wanted: wanted - kept }) : undefined;
      kept += drawn?.granted ?? 0;
      const granted = Math.min(kept, wanted);
      kept -= granted;
      use.add(granted);
      return { granted, retryAfterMs: drawn?.retryAfterMs ?? 0 };
    },
    /** Debits a verification that starts without waiting for a permit, nor for the store. */
    spend(): void {
      use.add(1);
      if (kept > 0) kept--;
      else update({ spent: 1 }).catch(() => {});
    },
    /** Slows down all instances after a request that the service has refused, or not responded to in time. */
    refuse(refusal: Refusal): Promise<Permits> {
      kept = 0;
      return update({ refusal });
    },
    /** Writes the budget without an event. Rejects while the store takes no writes. */
    probeStore: (): Promise<unknown> => update({}),
    /** Returns the last rate that this instance has seen; `undefined` before the first. */
    ratePerSecond: () => ratePerSecond,
    /** Returns the share of the ceiling that this instance uses, from 0 to 1. */
    load: () => Math.min(use.perSecond() / maxPerSecond, 1),
  };
}
