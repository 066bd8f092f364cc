import type { Store } from '../stores/store.ts';
import { type Permits, type Refusal, type RefusalResult, refusePermits, takePermits } from './permits.ts';

/**
 * What all instances together may verify in a second, where nobody says otherwise. The rate follows what the service
 * takes; this is for a service that takes everything.
 */
export const defaultMaxVerificationsPerSecond = 300;

/** This instance's way to the budget that all instances share. */
export type Budget = {
  /** Takes permits from the shared budget, and reports to it what was spent. */
  take: (wanted: number) => Promise<Permits>;
  /** Counts verifications that start without a permit; a negative number gives permits back. */
  spend: (count: number) => void;
  /** Whether something was spent that the shared budget does not know of. */
  hasSpent: () => boolean;
  /** The service has refused a request. */
  refuse: (refusal: Omit<Refusal, 'maxPerSecond'>) => Promise<RefusalResult>;
  /** The rate when this instance last heard of it; `undefined` before. */
  ratePerSecond: () => number | undefined;
};

export function createBudget(store: Pick<Store, 'updateBudget'>, maxPerSecond: number): Budget {
  let unreported = 0;
  let rate: number | undefined;
  const learn = <Result extends { ratePerSecond: number }>(result: Result): Result => {
    rate = result.ratePerSecond;
    return result;
  };
  return {
    async take(wanted) {
      const spent = unreported;
      unreported = 0;
      const request = { wanted, spent, maxPerSecond };
      return learn(await store.updateBudget((state, nowMs) => takePermits(state, request, nowMs)));
    },
    spend(count) {
      unreported += count;
    },
    hasSpent: () => unreported > 0,
    async refuse(refusal) {
      const event = { ...refusal, maxPerSecond };
      return learn(await store.updateBudget((state, nowMs) => refusePermits(state, event, nowMs)));
    },
    ratePerSecond: () => rate,
  };
}
