import {
  findNewEvents,
  type OutboxEvent,
  type OutboxEventRun,
  type OutboxOutcome,
  overtakenByPaid,
} from './outbox-event.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { OutboxStore } from './store.ts';

/** `dueAt` is the end of the lease while the handler runs. */
type Row = { event: OutboxEvent; dueAt: number };

export type MemoryOutbox = {
  store: OutboxStore;
  add: (record: PaymentRecord, outcomes: readonly OutboxOutcome[]) => void;
  /** Whether all events of the order are done or withdrawn. */
  isFinished: (orderId: string) => boolean;
  forget: (orderId: string) => void;
  measure: () => { pendingOutboxEvents: number; deadLetters: number };
};

type Index = {
  byOrder: Map<string, Row[]>;
  byKey: Map<string, Row>;
  /** The orders with undelivered events: few, however many orders there are. */
  openOrders: Set<Row[]>;
  /** Must be called after each change of an order's events. */
  settle: (order: Row[]) => void;
};

/** Creates the outbox of the memory store. The events of an order are kept in their order of creation. */
export function createMemoryOutbox(now: () => number): MemoryOutbox {
  const openOrders = new Set<Row[]>();
  const settle = (order: Row[]): void => {
    withdrawOvertaken(order, now());
    if (order.some(isOpen)) openOrders.add(order);
    else openOrders.delete(order);
  };
  const index: Index = { byOrder: new Map(), byKey: new Map(), openOrders, settle };
  const { byOrder, byKey } = index;
  const count = (...states: OutboxEvent['state'][]): number =>
    [...byKey.values()].filter(({ event }) => states.includes(event.state)).length;

  return {
    store: createOutboxStore(index, now),
    add(record, outcomes) {
      const order = byOrder.get(record.orderId) ?? [];
      const known = order.map(({ event }) => event);
      for (const event of findNewEvents(record, outcomes, known)) {
        const row = { event, dueAt: now() };
        order.push(row);
        byKey.set(event.key, row);
      }
      byOrder.set(record.orderId, order);
      settle(order);
    },
    isFinished: (orderId) =>
      (byOrder.get(orderId) ?? []).every(({ event }) => ['done', 'withdrawn'].includes(event.state)),
    forget(orderId) {
      const order = byOrder.get(orderId) ?? [];
      for (const { event } of order) byKey.delete(event.key);
      openOrders.delete(order);
      byOrder.delete(orderId);
    },
    measure: () => ({ pendingOutboxEvents: count('waiting', 'running'), deadLetters: count('setAside') }),
  };
}

function createOutboxStore({ byOrder, byKey, openOrders, settle }: Index, now: () => number): OutboxStore {
  const settleOrderOf = ({ event }: Row): void => settle(byOrder.get(event.orderId) ?? []);
  const findRun = ({ key, token }: OutboxEventRun): Row | undefined => {
    const row = byKey.get(key);
    return row?.event.state === 'running' && row.event.token === token ? row : undefined;
  };

  return {
    async claimOutboxEvent({ leaseMs }) {
      let row: Row | undefined;
      for (const order of openOrders) {
        settle(order);
        const next = order.find((one) => isRunnable(one, order, now()));
        if (next !== undefined && next.dueAt < (row?.dueAt ?? Infinity)) row = next;
      }
      if (row === undefined) return undefined;
      const wasLost = row.event.state === 'running';
      row.event.state = 'running';
      row.event.token++;
      row.dueAt = now() + leaseMs;
      return { ...row.event, wasLost };
    },
    async renewOutboxEvent(run, { leaseMs }) {
      const row = findRun(run);
      if (row !== undefined) row.dueAt = now() + leaseMs;
      return row !== undefined;
    },
    async finishOutboxEvent(run) {
      const row = findRun(run);
      if (row === undefined) return false;
      Object.assign(row.event, { state: 'done', failure: null });
      settleOrderOf(row);
      return true;
    },
    async failOutboxEvent(run, { retryAfterMs, failure }) {
      const row = findRun(run);
      if (row === undefined) return false;
      Object.assign(row.event, { state: retryAfterMs === null ? 'setAside' : 'waiting', failure });
      row.dueAt = now() + (retryAfterMs ?? 0);
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
      row.event.state = 'waiting';
      row.dueAt = now();
      settleOrderOf(row);
      return true;
    },
  };
}

const isOpen = ({ event }: Row): boolean => event.state === 'waiting' || event.state === 'running';

/** Whether it is the event's turn: it is due, no earlier event of its order is open, and no other one runs. */
function isRunnable(row: Row, order: readonly Row[], now: number): boolean {
  if (!isOpen(row) || row.dueAt > now) return false;
  const position = order.indexOf(row);
  const isBlockedBy = (other: Row, index: number): boolean => {
    const { state, outcome } = other.event;
    if (index < position) return isOpen(other) || (state === 'setAside' && outcome === 'paid');
    return index > position && state === 'running' && other.dueAt > now;
  };
  return !order.some(isBlockedBy);
}

function withdrawOvertaken(order: readonly Row[], now: number): void {
  if (!order.some(({ event }) => event.outcome === 'paid')) return;
  for (const { event, dueAt } of order) {
    const isIdle = event.state === 'waiting' || event.state === 'setAside';
    const isLapsed = event.state === 'running' && dueAt <= now;
    if (overtakenByPaid.includes(event.outcome) && (isIdle || isLapsed)) event.state = 'withdrawn';
  }
}
