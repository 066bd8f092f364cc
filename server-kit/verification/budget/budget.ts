import type { Store } from '../../stores/store.ts';
import { type Permits, type Refusal, type RefusalResult, refusePermits, takePermits } from './permits.ts';

/** The ceiling of verifications per second for all instances together. The rate follows the service's limit, if it has one. */
export const defaultMaxVerificationsPerSecond = 300;

/** This instance's access to the budget that all instances share. */
export type Budget = {
  /** Takes permits from the shared budget, and reports the spent ones to it. */
  take: (wanted: number) => Promise<Permits>;
  /** Counts verifications that start without a permit; a negative number gives permits back. */
  spend: (count: number) => void;
  /** Whether permits were spent that the shared budget does not know about yet. */
  hasSpent: () => boolean;
  /** Reports that the service has refused a request: decreases the rate, and gives up the held permits. */
  refuse: (refusal: Omit<Refusal, 'maxPerSecond'>) => Promise<RefusalResult>;
  /** Returns the last rate that this instance has seen; `undefined` before the first. */
  ratePerSecond: () => number | undefined;
};

export type BudgetOptions = {
  store: Pick<Store, 'updateBudget'>;
  maxPerSecond: number;
  /** The local clock. */
  now: () => number;
};

/**
 * How long permits are held. What this instance will probably need in that time is taken at once, so that one statement of the
 * store serves several verifications.
 */
const holdMs = 200;

/** The most permits taken ahead, because unused ones are lost to the other instances. */
const mostAhead = 10;

export function createBudget({ store, maxPerSecond, now }: BudgetOptions): Budget {
  let unreported = 0;
  let rate: number | undefined;
  let held = { permits: 0, since: 0 };
  const recent = createRecentUse(now);
  const learn = <Result extends { ratePerSecond: number }>(result: Result): Result => {
    rate = result.ratePerSecond;
    return result;
  };

  const takeShared = async (wanted: number): Promise<Permits> => {
    const spent = unreported;
    unreported = 0;
    const request = { wanted, ahead: recent.expected(), spent, maxPerSecond };
    return learn(await store.updateBudget((state, nowMs) => takePermits(state, request, nowMs)));
  };
  /** Permits that were held too long lapse: the shared budget has been refilled since. */
  const takeHeld = (wanted: number): number => {
    if (Math.abs(now() - held.since) > holdMs) held.permits = 0;
    const taken = Math.min(wanted, held.permits);
    held.permits -= taken;
    return taken;
  };

  return {
    async take(wanted) {
      const taken = takeHeld(wanted);
      recent.count(taken);
      const missing = wanted - taken;
      if (missing === 0 && unreported <= 0)
        return { granted: taken, retryAfterMs: 0, ratePerSecond: rate ?? 0 };
      const shared = await takeShared(missing);
      const granted = Math.min(shared.granted, missing);
      recent.count(granted);
      held = { permits: held.permits + shared.granted - granted, since: now() };
      return { ...shared, granted: taken + granted };
    },
    spend(count) {
      unreported += count;
    },
    hasSpent: () => unreported > 0,
    async refuse(refusal) {
      held.permits = 0;
      const event = { ...refusal, maxPerSecond };
      return learn(await store.updateBudget((state, nowMs) => refusePermits(state, event, nowMs)));
    },
    ratePerSecond: () => rate,
  };
}

/** Counts the verifications that this instance has started in the last period for which permits are held. */
function createRecentUse(now: () => number) {
  let last = { since: now(), count: 0 };
  let before = 0;
  const turn = (): void => {
    const passedMs = now() - last.since;
    if (passedMs >= 0 && passedMs < holdMs) return;
    before = passedMs >= 0 && passedMs < 2 * holdMs ? last.count : 0;
    last = { since: now(), count: 0 };
  };
  return {
    count(started: number): void {
      turn();
      last.count += started;
    },
    expected(): number {
      turn();
      return Math.min(before, mostAhead);
    },
  };
}
