import { createMemoryEffects } from './memory-effects.ts';
import { createMemoryPayments } from './memory-payments.ts';
import { maxPauseMs, type Store } from './store.ts';

/**
 * A store for tests and for a first try: everything in it is lost when the process ends, and other processes do
 * not see it.
 *
 * @param now the store's clock, in milliseconds since the epoch
 */
export function createMemoryStore({ now = Date.now }: { now?: () => number } = {}): Store {
  const effects = createMemoryEffects(now);
  const payments = createMemoryPayments(now, effects);
  return {
    isVolatile: true,
    migrate: async () => {},
    close: async () => {},
    ...payments.store,
    ...effects.store,
    ...createBudget(now),
    measure: async () => ({ ...payments.measure(), ...effects.measure() }),
    purge: async (olderThanMs) => payments.purge(olderThanMs),
  };
}

function createBudget(now: () => number): Pick<Store, 'takePermit' | 'pausePermits'> {
  let budget = { second: 0, taken: 0 };
  let pausedUntil = 0;
  const pauseLeftMs = (): number => (pausedUntil > now() + maxPauseMs ? 0 : pausedUntil - now());
  return {
    async takePermit(perSecond) {
      const second = Math.floor(now() / 1000);
      if (budget.second !== second) budget = { second, taken: 0 };
      if (budget.taken >= perSecond || pauseLeftMs() > 0) return false;
      budget.taken++;
      return true;
    },
    async pausePermits(ms) {
      pausedUntil = now() + Math.min(Math.max(ms, pauseLeftMs()), maxPauseMs);
    },
  };
}
