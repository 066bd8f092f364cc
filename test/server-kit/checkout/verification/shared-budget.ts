import type { BudgetState, Store } from '../../../../server-kit/checkout/ports/store.ts';
import { type BudgetEvent, nextBudget } from '../../../../server-kit/checkout/verification/permits.ts';

type BudgetStore = Pick<Store, 'updateBudget'>;

/** Creates a store of a budget alone. */
export function createBudgetStore(now: () => number): BudgetStore {
  let stored: BudgetState | undefined;
  return {
    async updateBudget(change) {
      const [state, result] = change(stored, now());
      stored = state;
      return result;
    },
  };
}

const updateElsewhere = ({ updateBudget }: BudgetStore, event: BudgetEvent, maxPerSecond = 300) =>
  updateBudget((state, nowMs) => nextBudget(state, event, { maxPerSecond, nowMs }));

/** Takes permits as another instance does; returns how many were granted. */
export const takeElsewhere = async (store: BudgetStore, wanted: number, maxPerSecond?: number) =>
  (await updateElsewhere(store, { wanted }, maxPerSecond)).granted;

/** Pauses the budget as another instance does that was refused just now. */
export const pauseElsewhere = (store: BudgetStore, pauseMs: number) =>
  updateElsewhere(store, { refusal: { sentMsAgo: 0, pauseMs } });
