import type { OutcomeCounts, Store, StoreMeasures } from '../stores/store.ts';

/** What an operator needs to know: the same on all instances. Ages in milliseconds on the store's clock. */
export type CheckoutStatus = StoreMeasures & {
  /** The number of orders with each outcome, and of late payments. */
  outcomes: OutcomeCounts;
};

/** Reads the status from the store. Rejects if the store does. */
export async function readStatus(store: Pick<Store, 'measure' | 'countOutcomes'>): Promise<CheckoutStatus> {
  const [measures, outcomes] = await Promise.all([store.measure(), store.countOutcomes()]);
  return { ...measures, outcomes };
}
