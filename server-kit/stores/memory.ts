import { createMemoryOutbox } from './memory-outbox.ts';
import { createMemoryPayments } from './memory-payments.ts';
import type { BudgetState, Store } from './store.ts';

/**
 * Creates a store for tests and first tries: its content is lost when the process ends, and other processes do not see it.
 *
 * @param now the store's clock, in milliseconds since the epoch
 */
export function createMemoryStore({ now = Date.now }: { now?: () => number } = {}): Store {
  const outbox = createMemoryOutbox(now);
  const payments = createMemoryPayments(now, outbox);
  return {
    isVolatile: true,
    migrate: async () => {},
    close: async () => {},
    ...payments.store,
    ...outbox.store,
    ...createBudget(now),
    measure: async () => ({ ...payments.measure(), ...outbox.measure() }),
    findOldestUnpaid: async () => payments.findOldestUnpaid(),
    countOutcomes: async () => ({ ...outbox.count(), late: payments.countLate() }),
    purge: async (olderThanMs) => payments.purge(olderThanMs),
  };
}

function createBudget(now: () => number): Pick<Store, 'updateBudget'> {
  let state: BudgetState | undefined;
  return {
    async updateBudget(change) {
      const [changed, result] = change(state, now());
      state = changed;
      return result;
    },
  };
}
