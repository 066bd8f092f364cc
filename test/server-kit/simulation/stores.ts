import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { Store, StoreMeasures } from '../../../server-kit/stores/store.ts';
import type { LedgerTransaction } from './handlers.ts';
import type { World } from './settings.ts';

/** What the processes of a wave share. */
export type SharedStore = {
  open: () => Store;
  measure: () => Promise<StoreMeasures>;
  close: () => Promise<void>;
};

export async function openSharedStore(world: World): Promise<SharedStore> {
  const { storeNow: now, random } = world;
  const memory = createMemoryStore({ now });
  const store = random.fork('transact').chance(0.25) ? withTransactions(memory) : memory;
  return { open: () => store, measure: store.measure, close: store.close };
}

/** The memory store, with the merchant's ledger in its transactions: what a handler does is done when its effect is. */
function withTransactions(store: Store): Store {
  return {
    ...store,
    async transact(run, work) {
      // As a row that is locked until the end.
      if (!(await store.renewEffect(run, { leaseMs: 120_000 }))) return false;
      const deeds: (() => void)[] = [];
      const transaction: LedgerTransaction = { add: (deed) => void deeds.push(deed) };
      await work(transaction);
      if (!(await store.finishEffect(run))) return false;
      for (const deed of deeds) deed();
      return true;
    },
  };
}
