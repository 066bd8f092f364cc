import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import {
  claimPayment,
  createPaymentRow,
  isWoken,
  updatePaymentRow,
  wakePayment,
} from '../../../server-kit/stores/payment-row.ts';
import type { PaymentStore } from '../../../server-kit/stores/store.ts';
import { addEvents } from './outbox.ts';
import type { DemoDatabase } from './schema.ts';
import { type ObjectStore, transact } from './transaction.ts';

/** Creates the payments of the IndexedDB store. Each method is one transaction. */
export function createPayments(db: DemoDatabase, now: () => number): PaymentStore {
  return {
    insert: (record, change) =>
      transact(db, 'readwrite', ['payments'], async (open) => {
        const payments = open('payments');
        const isTaken =
          (await payments.getKey(record.reference)) !== undefined ||
          (await payments.index('order').getKey([record.orderId, record.attempt])) !== undefined;
        if (!isTaken) await payments.add(createPaymentRow(record, change, now()));
        return !isTaken;
      }),
    update: (record, change) =>
      transact(db, 'readwrite', ['payments', 'outbox'], async (open) => {
        const payments = open('payments');
        const row = await payments.get(record.reference);
        if (row?.record.version !== record.version) return undefined;
        updatePaymentRow(row, record, change, now());
        await payments.put(row);
        await addEvents(open('outbox'), record, change.outcomes, now());
        return row.record;
      }),
    findByReference: (reference) =>
      transact(db, 'readonly', ['payments'], async (open) => (await open('payments').get(reference))?.record),
    listByOrder: (orderId) =>
      transact(db, 'readonly', ['payments'], (open) => listOrder(open('payments'), orderId)),
    listOrderOf: (reference) =>
      transact(db, 'readonly', ['payments'], async (open) => {
        const row = await open('payments').get(reference);
        return row === undefined ? [] : listOrder(open('payments'), row.record.orderId);
      }),
    wake: (reference) =>
      transact(db, 'readwrite', ['payments'], async (open) => {
        const row = await open('payments').get(reference);
        if (row === undefined) return false;
        wakePayment(row, now());
        await open('payments').put(row);
        return true;
      }),
    claimDue: ({ limit, leaseMs, isWoken: isOnlyWoken = false }) =>
      transact(db, 'readwrite', ['payments'], async (open) => {
        const nowMs = now();
        // Longest overdue first.
        const due = await open('payments').index('due').getAll(IDBKeyRange.upperBound(nowMs));
        const others = isOnlyWoken ? [] : due.filter((row) => !isWoken(row));
        const rows = [...due.filter(isWoken), ...others].slice(0, limit);
        const claimed = rows.map((row) => claimPayment(row, leaseMs, nowMs));
        for (const row of rows) await open('payments').put(row);
        return claimed;
      }),
  };
}

/** Returns the payments of the order by their attempt. */
async function listOrder(
  payments: ObjectStore<'payments', 'readonly'>,
  orderId: string,
): Promise<PaymentRecord[]> {
  // In IndexedDB an array comes after every number.
  const ofOrder = IDBKeyRange.bound([orderId], [orderId, []]);
  return (await payments.index('order').getAll(ofOrder)).map(({ record }) => record);
}
