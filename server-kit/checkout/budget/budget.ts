import { createMeanRate } from '../fairness/mean-rate.ts';
import type { Store } from '../ports/store.ts';
import { type BudgetEvent, nextBudget, type Permits } from './permits.ts';

/** The ceiling of verifications per second for all instances together. The rate follows the service's limit, if it has one. */
export const defaultMaxVerificationsPerSecond = 300;

/** Permits that were drawn ahead are kept for this long. */
const aheadMs = 250;

/** Verifications without a permit are debited with the next draw, or when they are the permits of this time. */
const debtSeconds = 0.1;

/** The measured use is about the mean of this time. */
const averagedMs = 10_000;

export type BudgetOptions = { store: Pick<Store, 'updateBudget'>; maxPerSecond: number; now: () => number };

export type Budget = ReturnType<typeof createBudget>;

/** Creates this instance's access to the budget that all instances share. One change of the store draws several permits. */
export function createBudget({ store, maxPerSecond, now }: BudgetOptions) {
  const use = createMeanRate(averagedMs, now);
  let ratePerSecond: number | undefined;
  /** The permits that were drawn ahead; negative for verifications that started without one. */
  let ahead = 0;
  let keptUntilMs = 0;

  const update = async (event: BudgetEvent): Promise<Permits> => {
    const permits = await store.updateBudget((state, nowMs) =>
      nextBudget(state, event, { maxPerSecond, nowMs }),
    );
    ratePerSecond = permits.ratePerSecond;
    return permits;
  };
  /** Gives back what was drawn ahead, or debits what was started without a permit, and draws again. */
  const draw = async (wanted: number): Promise<Pick<Permits, 'granted' | 'retryAfterMs'>> => {
    const event = { wanted, ahead: Math.floor((use.perSecond() * aheadMs) / 1000), spent: -ahead };
    ahead = 0;
    const { granted, retryAfterMs } = await update(event);
    ahead += Math.max(0, granted - wanted);
    keptUntilMs = now() + aheadMs;
    return { granted: Math.min(granted, wanted), retryAfterMs };
  };

  return {
    /** Returns how many of these verifications may start now, and after how many milliseconds the others may ask again. */
    async take(wanted: number): Promise<Pick<Permits, 'granted' | 'retryAfterMs'>> {
      const kept = now() < keptUntilMs ? Math.min(wanted, Math.max(0, ahead)) : 0;
      ahead -= kept;
      const drawn = kept < wanted ? await draw(wanted - kept) : { granted: 0, retryAfterMs: 0 };
      const granted = kept + drawn.granted;
      use.add(granted);
      return { ...drawn, granted };
    },
    /** Debits a verification that starts without waiting for a permit. */
    spend(): void {
      use.add(1);
      ahead--;
      // Not awaited: the store must not delay the verification.
      if (-ahead >= (ratePerSecond ?? 0) * debtSeconds) draw(0).catch(() => {});
    },
    /** Slows down all instances after a request that the service has refused, or not responded to in time. */
    async refuse(refusal: Required<BudgetEvent>['refusal']): Promise<Permits> {
      ahead = Math.min(ahead, 0);
      return update({ refusal });
    },
    /** Returns the last rate that this instance has seen; `undefined` before the first. */
    ratePerSecond: () => ratePerSecond,
    /** Returns the share of the ceiling that this instance uses, from 0 to 1. */
    load: () => Math.min(use.perSecond() / maxPerSecond, 1),
  };
}
