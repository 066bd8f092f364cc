import type { Store } from '../../../server-kit/stores/store.ts';
import { refusePermits, takePermits } from '../../../server-kit/verification/budget/permits.ts';

type BudgetStore = Pick<Store, 'updateBudget'>;

/** Takes permits as another instance does; returns how many were granted. */
export async function takeElsewhere(store: BudgetStore, wanted: number, maxPerSecond = 300): Promise<number> {
  const request = { wanted, ahead: 0, spent: 0, maxPerSecond };
  return (await store.updateBudget((state, nowMs) => takePermits(state, request, nowMs))).granted;
}

/** Pauses the budget as another instance does that was refused just now. */
export async function pauseElsewhere(store: BudgetStore, pauseMs: number): Promise<void> {
  const refusal = { sentMsAgo: 0, pauseMs, maxPerSecond: 300 };
  await store.updateBudget((state, nowMs) => refusePermits(state, refusal, nowMs));
}
