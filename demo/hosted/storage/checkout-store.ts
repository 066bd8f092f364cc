import type { Store } from '../../../server-kit/engine/store.ts';
import { createMemoryRows, createMemoryStore, type MemoryRows } from '../../../server-kit/stores/memory.ts';
import type { CheckoutRow, DemoDatabase } from './schema.ts';
import { type ObjectStore, transact } from './transaction.ts';

/**
 * Creates the store of a checkout in IndexedDB, for test mode, and any number of workers and tabs. Every method rejects with
 * `StorageError` if the browser's storage cannot be used.
 *
 * Each method is one transaction, in which a memory store works on all rows: one visitor's orders are few.
 *
 * @param now the store's clock, in milliseconds since the epoch
 */
export function createIndexedDbStore(
  db: DemoDatabase,
  { now = Date.now }: { now?: () => number } = {},
): Store {
  const method =
    <Args extends unknown[], Result>(select: (store: Store) => (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      transact(db, 'readwrite', ['checkout'], async (open) => {
        const stored = await open('checkout').getAll();
        const before = stored.map(({ row }) => JSON.stringify(row));
        const rows = toRows(stored);
        const result = await select(createMemoryStore({ now, rows }))(...args);
        await save(open('checkout'), stored, before, rows);
        return result;
      });
  return {
    // It outlives the worker, but the browser may delete it: live mode has to refuse it.
    isVolatile: true,
    // The object stores were created when the database was opened.
    prepare: method((store) => store.prepare),
    find: method((store) => store.find),
    findOrders: method((store) => store.findOrders),
    write: method((store) => store.write),
    claimOrders: method((store) => store.claimOrders),
    reschedule: method((store) => store.reschedule),
    claimOutboxEvent: method((store) => store.claimOutboxEvent),
    updateOutboxEvent: method((store) => store.updateOutboxEvent),
    resumeOutboxEvents: method((store) => store.resumeOutboxEvents),
    readStatus: method((store) => store.readStatus),
  };
}

function toRows(stored: readonly CheckoutRow[]): MemoryRows {
  const rows = createMemoryRows();
  for (const { table, key, row } of stored) (rows[table] as Map<string, unknown>).set(key, row);
  return rows;
}

/** Stores what the memory store has changed. `before`: the rows as they were stored, as JSON. */
async function save(
  checkout: ObjectStore<'checkout', 'readwrite'>,
  stored: readonly CheckoutRow[],
  before: readonly string[],
  rows: MemoryRows,
): Promise<void> {
  const known = new Map(stored.map(({ table, key }, index) => [`${table} ${key}`, before[index]]));
  for (const table of Object.keys(rows) as (keyof MemoryRows)[]) {
    for (const [key, row] of rows[table]) {
      if (known.get(`${table} ${key}`) !== JSON.stringify(row)) await checkout.put({ table, key, row });
    }
  }
  for (const { table, key } of stored) {
    if (!(rows[table] as Map<string, unknown>).has(key)) await checkout.delete([table, key]);
  }
}
