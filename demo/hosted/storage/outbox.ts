import type { OutboxEventRun, OutboxOutcome } from '../../../server-kit/stores/outbox-event.ts';
import {
  claimEvent,
  createEvents,
  failEvent,
  findNext,
  finishEvent,
  isHeldBy,
  retryEvent,
  withdrawOvertaken,
} from '../../../server-kit/stores/outbox-row.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import type { OutboxStore } from '../../../server-kit/stores/store.ts';
import type { DemoDatabase, StoredEvent } from './schema.ts';
import { type ObjectStore, transact } from './transaction.ts';

type Outbox = ObjectStore<'outbox', 'readwrite'>;

/** Creates the outbox of the IndexedDB store. Each method is one transaction. */
export function createOutbox(db: DemoDatabase, now: () => number): OutboxStore {
  const write = <Result>(work: (outbox: Outbox) => Promise<Result>): Promise<Result> =>
    transact(db, 'readwrite', ['outbox'], (open) => work(open('outbox')));
  /** Changes an event if it is still as the caller expects. */
  const changeIf = (
    key: string,
    isExpected: (row: StoredEvent) => boolean,
    change: (row: StoredEvent) => void,
  ): Promise<boolean> =>
    write(async (outbox) => {
      const row = await outbox.index('key').get(key);
      if (row === undefined || !isExpected(row)) return false;
      change(row);
      await outbox.put(row);
      await withdraw(outbox, row.event.orderId, now());
      return true;
    });
  const changeRun = (run: OutboxEventRun, change: (row: StoredEvent) => void): Promise<boolean> =>
    changeIf(run.key, (row) => isHeldBy(row, run), change);

  return {
    claimOutboxEvent: ({ leaseMs }) =>
      write(async (outbox) => {
        const orders = await listOpenOrders(outbox, now());
        const row: StoredEvent | undefined = findNext(orders, now());
        if (row === undefined) return undefined;
        const claimed = claimEvent(row, leaseMs, now());
        await outbox.put(row);
        return claimed;
      }),
    renewOutboxEvent: (run, { leaseMs }) =>
      changeRun(run, (row) => {
        row.dueAt = now() + leaseMs;
      }),
    finishOutboxEvent: (run) => changeRun(run, finishEvent),
    failOutboxEvent: (run, failure) => changeRun(run, (row) => failEvent(row, failure, now())),
    listDeadLetters: () =>
      transact(db, 'readonly', ['outbox'], async (open) => {
        const rows = await open('outbox').index('state').getAll('setAside');
        return rows.map(({ event }) => event);
      }),
    retryDeadLetter: (key) =>
      changeIf(
        key,
        ({ event }) => event.state === 'setAside',
        (row) => retryEvent(row, now()),
      ),
  };
}

/** Adds the new events of a payment, in the transaction that updates it. */
export async function addEvents(
  outbox: Outbox,
  record: PaymentRecord,
  outcomes: readonly OutboxOutcome[],
  nowMs: number,
): Promise<void> {
  const order = await outbox.index('order').getAll(record.orderId);
  for (const row of createEvents(record, outcomes, order, nowMs)) await outbox.add(row);
  await withdraw(outbox, record.orderId, nowMs);
}

/** Returns the orders with events that are not delivered yet, after withdrawing what a payment has overtaken. */
async function listOpenOrders(outbox: Outbox, nowMs: number): Promise<StoredEvent[][]> {
  const states = outbox.index('state');
  const open = [...(await states.getAll('waiting')), ...(await states.getAll('running'))];
  const orders: StoredEvent[][] = [];
  for (const orderId of new Set(open.map(({ event }) => event.orderId))) {
    orders.push(await withdraw(outbox, orderId, nowMs));
  }
  return orders;
}

/** Withdraws the order's events that its payment has overtaken, and returns all events of the order. */
async function withdraw(outbox: Outbox, orderId: string, nowMs: number): Promise<StoredEvent[]> {
  const order = await outbox.index('order').getAll(orderId);
  for (const row of withdrawOvertaken(order, nowMs)) await outbox.put(row);
  return order;
}
