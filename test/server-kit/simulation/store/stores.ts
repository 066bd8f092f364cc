import type { Store } from '../../../../server-kit/engine/store.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import type { LedgerTransaction } from '../shop/handlers.ts';
import type { World } from '../world/settings.ts';
import { openDatabase, type SharedStore } from './databases.ts';

export async function openSharedStore(world: World): Promise<SharedStore> {
  if (world.settings.store !== 'memory') return openDatabase(world, world.settings.store);
  const memory = createMemoryStore({ now: world.storeNow });
  const store = world.random.fork('transact').chance(0.25) ? withTransactions(memory) : memory;
  return { store, open: () => store, committed: async () => undefined, close: async () => {} };
}

/** Adds transactions to the memory store, which commit the merchant's ledger entries together with their event. */
function withTransactions(store: Store): Store {
  return {
    ...store,
    async transact(run, work) {
      const records: (() => void)[] = [];
      const transaction: LedgerTransaction = { add: (_key, record) => void records.push(record) };
      await work(transaction);
      const ended = await store.endOutboxEvent(run, { state: 'done' });
      if (ended === undefined) return undefined;
      for (const record of records) record();
      return ended;
    },
  };
}
