import type { Store } from 'transfer-checkout/server-kit';
import { countEvents, isFinished, measureOutbox } from '../../../server-kit/stores/outbox-row.ts';
import {
  countLate,
  findOldestUnpaid,
  isPurgeable,
  measurePayments,
} from '../../../server-kit/stores/payment-row.ts';
import { createOutbox } from './outbox.ts';
import { createPayments } from './payments.ts';
import type { DemoDatabase } from './schema.ts';
import { transact } from './transaction.ts';

/**
 * Creates the store of a checkout in IndexedDB, for test mode, and any number of workers and tabs. Every method rejects with
 * `StorageError` if the browser's storage cannot be used.
 *
 * @param now the store's clock, in milliseconds since the epoch
 */
export function createIndexedDbStore(
  db: DemoDatabase,
  { now = Date.now }: { now?: () => number } = {},
): Store {
  return {
    // It outlives the worker, but the browser may delete it: live mode has to refuse it.
    isVolatile: true,
    // The object stores were created when the database was opened, and it is also used by others.
    migrate: async () => {},
    close: async () => {},
    ...createPayments(db, now),
    ...createOutbox(db, now),
    updateBudget: (change) =>
      transact(db, 'readwrite', ['budget'], async (open) => {
        const [changed, result] = change(await open('budget').get('state'), now());
        await open('budget').put(changed, 'state');
        return result;
      }),
    measure: () =>
      transact(db, 'readonly', ['payments', 'outbox'], async (open) => ({
        ...measurePayments(await open('payments').getAll(), now()),
        ...measureOutbox(await open('outbox').getAll()),
      })),
    findOldestUnpaid: () =>
      transact(db, 'readonly', ['payments'], async (open) =>
        findOldestUnpaid(await open('payments').getAll()),
      ),
    countOutcomes: () =>
      transact(db, 'readonly', ['payments', 'outbox'], async (open) => ({
        ...countEvents(await open('outbox').getAll()),
        late: countLate(await open('payments').getAll()),
      })),
    purge: (olderThanMs) => purge(db, olderThanMs, now),
  };
}

const purge = (db: DemoDatabase, olderThanMs: number, now: () => number): Promise<number> =>
  transact(db, 'readwrite', ['payments', 'outbox'], async (open) => {
    const payments = await open('payments').getAll();
    const events = await open('outbox').getAll();
    const kept = new Set([
      ...payments.flatMap((row) => (isPurgeable(row, olderThanMs, now()) ? [] : row.record.orderId)),
      ...events.flatMap((row) => (isFinished(row) ? [] : row.event.orderId)),
    ]);
    const purged = payments.filter(({ record }) => !kept.has(record.orderId));
    for (const { record } of purged) await open('payments').delete(record.reference);
    for (const { event, position } of events) {
      if (position !== undefined && !kept.has(event.orderId)) await open('outbox').delete(position);
    }
    return purged.length;
  });
