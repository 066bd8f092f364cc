import type { OutboxEventRun, OutboxOutcome } from './outbox-event.ts';
import {
  claimEvent,
  countEvents,
  createEvents,
  failEvent,
  findNext,
  finishEvent,
  isFinished,
  isHeldBy,
  isOpen,
  measureOutbox,
  type OutboxMeasures,
  type OutboxRow,
  retryEvent,
  withdrawOvertaken,
} from './outbox-row.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { OutboxStore } from './store.ts';

export type MemoryOutbox = {
  store: OutboxStore;
  add: (record: PaymentRecord, outcomes: readonly OutboxOutcome[]) => void;
  /** Whether all events of the order are done or withdrawn. */
  isFinished: (orderId: string) => boolean;
  forget: (orderId: string) => void;
  measure: () => OutboxMeasures;
  count: () => Record<OutboxOutcome, number>;
};

type Index = {
  byOrder: Map<string, OutboxRow[]>;
  byKey: Map<string, OutboxRow>;
  /** The orders with undelivered events: few, however many orders there are. */
  openOrders: Set<OutboxRow[]>;
  /** Must be called after each change of an order's events. */
  settle: (order: OutboxRow[]) => void;
};

/** Creates the outbox of the memory store. The events of an order are kept in their order of creation. */
export function createMemoryOutbox(now: () => number): MemoryOutbox {
  const openOrders = new Set<OutboxRow[]>();
  const settle = (order: OutboxRow[]): void => {
    withdrawOvertaken(order, now());
    if (order.some(isOpen)) openOrders.add(order);
    else openOrders.delete(order);
  };
  const index: Index = { byOrder: new Map(), byKey: new Map(), openOrders, settle };
  const { byOrder, byKey } = index;

  return {
    store: createOutboxStore(index, now),
    add(record, outcomes) {
      const order = byOrder.get(record.orderId) ?? [];
      for (const row of createEvents(record, outcomes, order, now())) {
        order.push(row);
        byKey.set(row.event.key, row);
      }
      byOrder.set(record.orderId, order);
      settle(order);
    },
    isFinished: (orderId) => (byOrder.get(orderId) ?? []).every(isFinished),
    forget(orderId) {
      const order = byOrder.get(orderId) ?? [];
      for (const { event } of order) byKey.delete(event.key);
      openOrders.delete(order);
      byOrder.delete(orderId);
    },
    measure: () => measureOutbox([...byKey.values()]),
    count: () => countEvents([...byKey.values()]),
  };
}

function createOutboxStore({ byOrder, byKey, openOrders, settle }: Index, now: () => number): OutboxStore {
  const settleOrderOf = ({ event }: OutboxRow): void => settle(byOrder.get(event.orderId) ?? []);
  const findRun = (run: OutboxEventRun): OutboxRow | undefined => {
    const row = byKey.get(run.key);
    return row !== undefined && isHeldBy(row, run) ? row : undefined;
  };

  return {
    async claimOutboxEvent({ leaseMs }) {
      for (const order of openOrders) settle(order);
      const row = findNext(openOrders, now());
      return row && claimEvent(row, leaseMs, now());
    },
    async renewOutboxEvent(run, { leaseMs }) {
      const row = findRun(run);
      if (row !== undefined) row.dueAt = now() + leaseMs;
      return row !== undefined;
    },
    async finishOutboxEvent(run) {
      const row = findRun(run);
      if (row === undefined) return false;
      finishEvent(row);
      settleOrderOf(row);
      return true;
    },
    async failOutboxEvent(run, failure) {
      const row = findRun(run);
      if (row === undefined) return false;
      failEvent(row, failure, now());
      settleOrderOf(row);
      return true;
    },
    listDeadLetters: async () =>
      [...byOrder.values()].flatMap((order) =>
        order.flatMap(({ event }) => (event.state === 'setAside' ? { ...event } : [])),
      ),
    async retryDeadLetter(key) {
      const row = byKey.get(key);
      if (row?.event.state !== 'setAside') return false;
      retryEvent(row, now());
      settleOrderOf(row);
      return true;
    },
  };
}
