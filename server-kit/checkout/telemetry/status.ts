import type { OutcomeCounts, Store, StoreMeasures } from '../ports/store.ts';

/** What an operator needs to know: the same on all instances. Ages in milliseconds on the store's clock. */
export type CheckoutStatus = StoreMeasures & {
  /** The number of events of each outcome, and of late payments. `paid` also counts those that were reversed later. */
  outcomes: OutcomeCounts;
  /** The latest payment of the order that `oldestUnpaidMs` is about. */
  oldestUnpaid: { orderId: string; reference: string } | null;
};

/** Reads the status from the store. Rejects if the store does. */
export async function readStatus(store: Store): Promise<CheckoutStatus> {
  const [measures, outcomes, oldest] = await Promise.all([
    store.measure(),
    store.countOutcomes(),
    store.findOldestUnpaid(),
  ]);
  const reference = oldest?.payments.at(-1)?.reference;
  const oldestUnpaid = oldest && reference !== undefined ? { orderId: oldest.orderId, reference } : null;
  return { ...measures, outcomes, oldestUnpaid };
}
