import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import { openDatabase } from './databases.ts';
import type { LedgerTransaction } from './handlers.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './settings.ts';

/** What the processes of a wave share. */
export type SharedStore = {
  /** The store itself, for what is measured at the end. */
  store: Store;
  open: (process: SimulatedProcess) => Store;
  /** The keys of what the merchant has committed in transactions; `undefined` where nothing keeps them. */
  committed: () => Promise<readonly string[] | undefined>;
  close: () => Promise<void>;
};

export async function openSharedStore(world: World): Promise<SharedStore> {
  if (world.settings.store !== 'memory') return openDatabase(world, world.settings.store);
  const memory = createMemoryStore({ now: world.storeNow });
  const store = world.random.fork('transact').chance(0.25) ? withTransactions(memory) : memory;
  return { store, open: () => store, committed: async () => undefined, close: store.close };
}

/** The memory store, with the merchant's ledger in its transactions: what a handler does is done when its effect is. */
function withTransactions(store: Store): Store {
  return {
    ...store,
    async transact(run, work) {
      // As a row that is locked until the end.
      if (!(await store.renewOutboxEvent(run, { leaseMs: 120_000 }))) return false;
      const deeds: (() => void)[] = [];
      const transaction: LedgerTransaction = { add: (_key, deed) => void deeds.push(deed) };
      await work(transaction);
      if (!(await store.finishOutboxEvent(run))) return false;
      for (const deed of deeds) deed();
      return true;
    },
  };
}
