import type { DBSchema, IDBPDatabase } from 'idb';
import type { OutboxEventState } from '../../../server-kit/stores/outbox-event.ts';
import type { OutboxRow } from '../../../server-kit/stores/outbox-row.ts';
import type { PaymentRow } from '../../../server-kit/stores/payment-row.ts';
import type { BudgetState } from '../../../server-kit/stores/store.ts';
import type { Cart } from '../../merchant/cart.ts';
import type { ShopEvent } from '../../merchant/shop-records.ts';

/** Where IndexedDB sorts a row: it numbers new rows upwards, and leaves gaps where rows were deleted. */
type Positioned = { position?: number };

/** A record of the sandbox, in the order in which the records were created. */
export type SandboxRow = Positioned & { collection: string; id: string; record: unknown };

/** An outbox event, in the order in which the events were created. */
export type StoredEvent = Positioned & OutboxRow;

/** The object stores of the demo's database. */
export interface DemoSchema extends DBSchema {
  payments: {
    key: string;
    value: PaymentRow;
    indexes: {
      /** The order and the attempt. */
      order: [string, number];
      /** Payments that are never due have no entry. */
      due: number;
    };
  };
  outbox: {
    key: number;
    value: StoredEvent;
    indexes: { key: string; order: string; state: OutboxEventState };
  };
  budget: { key: 'state'; value: BudgetState };
  sandbox: { key: number; value: SandboxRow; indexes: { id: [string, string] } };
  /** How often the sandbox's records were opened. */
  sandboxOpenings: { key: 'count'; value: number };
  secrets: { key: string; value: string };
  events: { key: number; value: ShopEvent; indexes: { key: string; order: string } };
  cart: { key: 'current'; value: Cart };
}

export type DemoDatabase = IDBPDatabase<DemoSchema>;

/** Changes with each change of the object stores, or of what their rows contain. */
export const schemaVersion = 2;

export function createObjectStores(db: DemoDatabase): void {
  const payments = db.createObjectStore('payments', { keyPath: 'record.reference' });
  payments.createIndex('order', ['record.orderId', 'record.attempt'], { unique: true });
  payments.createIndex('due', 'dueAt');
  const outbox = db.createObjectStore('outbox', { keyPath: 'position', autoIncrement: true });
  outbox.createIndex('key', 'event.key', { unique: true });
  outbox.createIndex('order', 'event.orderId');
  outbox.createIndex('state', 'event.state');
  const sandbox = db.createObjectStore('sandbox', { keyPath: 'position', autoIncrement: true });
  sandbox.createIndex('id', ['collection', 'id'], { unique: true });
  const events = db.createObjectStore('events', { autoIncrement: true });
  events.createIndex('key', 'key', { unique: true });
  events.createIndex('order', 'orderId');
  for (const name of ['budget', 'sandboxOpenings', 'secrets', 'cart'] as const) {
    db.createObjectStore(name);
  }
}
