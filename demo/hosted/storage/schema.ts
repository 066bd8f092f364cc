import type { DBSchema, IDBPDatabase } from 'idb';
import type { MemoryRows } from '../../../server-kit/stores/memory.ts';
import type { Cart } from '../../merchant/cart.ts';
import type { ShopEvent } from '../../merchant/shop-records.ts';

/** IndexedDB's sort key: new rows count upwards, and deleted rows leave gaps. */
type Positioned = { position?: number };

/** A record of the sandbox, in the order in which the records were created. */
export type SandboxRow = Positioned & { collection: string; id: string; record: unknown };

/** A row of one of the tables of the checkout's store. */
export type CheckoutRow = { table: keyof MemoryRows; key: string; row: unknown };

/** The object stores of the demo's database. */
export interface DemoSchema extends DBSchema {
  checkout: { key: [keyof MemoryRows, string]; value: CheckoutRow };
  sandbox: { key: number; value: SandboxRow; indexes: { id: [string, string] } };
  /** How often the sandbox's records were opened. */
  sandboxOpenings: { key: 'count'; value: number };
  secrets: { key: string; value: string };
  events: { key: number; value: ShopEvent; indexes: { key: string; order: string } };
  cart: { key: 'current'; value: Cart };
}

export type DemoDatabase = IDBPDatabase<DemoSchema>;

/** Changes with each change of the object stores, or of what their rows contain. */
export const schemaVersion = 8;

export function createObjectStores(db: DemoDatabase): void {
  db.createObjectStore('checkout', { keyPath: ['table', 'key'] });
  const sandbox = db.createObjectStore('sandbox', { keyPath: 'position', autoIncrement: true });
  sandbox.createIndex('id', ['collection', 'id'], { unique: true });
  const events = db.createObjectStore('events', { autoIncrement: true });
  events.createIndex('key', 'key', { unique: true });
  events.createIndex('order', 'orderId');
  for (const name of ['sandboxOpenings', 'secrets', 'cart'] as const) {
    db.createObjectStore(name);
  }
}
