import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import type { Store } from '../../../../server-kit/stores/store.ts';
import type { LedgerTransaction } from '../shop/handlers.ts';
import type { World } from '../world/settings.ts';
import { openDatabase, type SharedStore } from './databases.ts';

export async function openSharedStore(world: World): Promise<SharedStore> {
  if (world.settings.store !== 'memory') return openDatabase(world, world.settings.store);
  const memory = createMemoryStore({ now: world.storeNow });
  const store = world.random.fork('transact').chance(0.25) ? withTransactions(memory) : memory;
  return { store, open: () => store, committed: async () => undefined, close: store.close };
}

/** The memory store, with the merchant's ledger in its transactions: what a handler does is committed with its event. */
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
