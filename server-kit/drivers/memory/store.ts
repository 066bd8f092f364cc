import type { Order } from '../../checkout/order/order.ts';
import type { UnmatchedPayment } from '../../checkout/order/unmatched.ts';
import {
  type BudgetState,
  type FoundRecord,
  mostCountedEvents,
  type RecordKind,
  type Store,
  type StoreMeasures,
  tombstoneMs,
  toOutcomeCounts,
  type WokenRecord,
} from '../../checkout/ports/store.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import { createMemoryRecords, type RecordRow, toStored } from './memory-records.ts';
import { isDead, type Queue } from './queue.ts';

/** To what a reference belongs. `purgedAt`: when its record was deleted. */
export type ReferenceRow = { kind: RecordKind; id: string; purgedAt: number | null };

/** All that a memory store knows. A changed row is a new object. */
export type MemoryRows = {
  order: Map<string, RecordRow<Order>>;
  unmatched: Map<string, RecordRow<UnmatchedPayment>>;
  references: Map<string, ReferenceRow>;
  /** By their order or unmatched payment. */
  queues: Map<string, Queue>;
  /** The number of events of each outcome. */
  counts: Map<string, number>;
  budget: Map<'state', BudgetState>;
};

export const createMemoryRows = (): MemoryRows => ({
  order: new Map(),
  unmatched: new Map(),
  references: new Map(),
  queues: new Map(),
  counts: new Map(),
  budget: new Map(),
});

export type MemoryStoreOptions = {
  /** The store's clock, in milliseconds since the epoch. */
  now?: () => number;
  /** What the store begins with, and changes; for stores that keep it elsewhere. */
  rows?: MemoryRows;
};

/** Creates a store for tests and first tries: its content is lost when the process ends, and other processes do not see it. */
export function createMemoryStore({
  now = Date.now,
  rows = createMemoryRows(),
}: MemoryStoreOptions = {}): Store {
  const outbox = createMemoryOutbox({
    ...{ queues: rows.queues, counts: rows.counts, now },
    recordOf: ({ orderId, reference }) =>
      structuredClone((orderId === null ? rows.unmatched.get(reference) : rows.order.get(orderId))?.record) ??
      null,
  });
  const recordsOf = <T>(kind: RecordKind, records: Map<string, RecordRow<T>>) =>
    createMemoryRecords<T>({
      rows: records,
      now,
      add(id, references, events) {
        if (references.some((reference) => rows.references.has(reference))) return false;
        for (const reference of references) rows.references.set(reference, { kind, id, purgedAt: null });
        outbox.add(ownerOf(kind, id), events);
        return true;
      },
    });
  const orders = recordsOf('order', rows.order);
  const unmatched = recordsOf('unmatched', rows.unmatched);

  return {
    isVolatile: true,
    migrate: async () => {},
    close: async () => {},
    orders: orders.table,
    unmatched: unmatched.table,
    ...outbox.store,
    async find(reference) {
      const found = rows.references.get(reference);
      if (found === undefined) return undefined;
      const { kind, id, purgedAt } = found;
      const row = rows[kind].get(id);
      if (purgedAt !== null || row === undefined) return { kind: 'purged' };
      return { kind, ...toStored<unknown>(row, now()) } as FoundRecord;
    },
    async wake(reference, { leaseMs }) {
      const found = rows.references.get(reference);
      if (found === undefined) return undefined;
      const [woken] = (found.kind === 'order' ? orders : unmatched).wake(found.id, leaseMs);
      if (found.purgedAt !== null || woken === undefined) return { kind: 'purged' };
      return { kind: found.kind, ...woken } as WokenRecord;
    },
    async updateBudget(change) {
      const [state, result] = change(structuredClone(rows.budget.get('state')), now());
      rows.budget.set('state', structuredClone(state));
      return result;
    },
    measure: async () => measure(rows, now()),
    findOldestUnpaid: async () => structuredClone(findOldestUnpaid(rows)),
    countOutcomes: async () => toOutcomeCounts(rows.counts),
    purge: async (olderThanMs) => purge(rows, olderThanMs, now()),
  };
}

const ownerOf = (kind: RecordKind, id: string): string => `${kind}:${id}`;

/** Deletes records. Their references are kept for longer. */
function purge(rows: MemoryRows, olderThanMs: number, now: number): number {
  const purged = new Set<string>();
  for (const kind of ['order', 'unmatched'] as const) {
    for (const [id, { dueAt, changedAt }] of rows[kind]) {
      const owner = ownerOf(kind, id);
      if (dueAt !== null || changedAt > now - olderThanMs || rows.queues.has(owner)) continue;
      rows[kind].delete(id);
      purged.add(owner);
    }
  }
  for (const [reference, row] of rows.references) {
    if (row.purgedAt !== null && row.purgedAt <= now - tombstoneMs) rows.references.delete(reference);
    if (!purged.has(ownerOf(row.kind, row.id)) || row.purgedAt !== null) continue;
    rows.references.set(reference, { ...row, purgedAt: now });
  }
  return purged.size;
}

function measure({ order, unmatched, queues }: MemoryRows, now: number): StoreMeasures {
  /** Not `Math.min(...)`: a call takes only about 100,000 arguments. */
  const ageOf = <T>(rows: Iterable<T>, select: (row: T) => number | null): number | null => {
    let first = Infinity;
    for (const row of rows) first = Math.min(first, select(row) ?? Infinity);
    return first === Infinity ? null : Math.max(0, now - first);
  };
  const events = [...queues.values()].flatMap((queue) => queue.events);
  const dead = events.filter(isDead).length;
  const lags = [order, unmatched].map((records) =>
    ageOf<RecordRow<unknown>>(records.values(), ({ dueAt }) => dueAt),
  );
  return {
    oldestUnpaidMs: ageOf(order.values(), ({ unpaidSince }) => unpaidSince),
    oldestConfirmingMs: ageOf(order.values(), ({ confirmingSince }) => confirmingSince),
    checkLagMs: Math.max(...lags.map((lag) => lag ?? 0)),
    pendingOutboxEvents: Math.min(events.length - dead, mostCountedEvents),
    deadLetters: Math.min(dead, mostCountedEvents),
  };
}

function findOldestUnpaid({ order }: MemoryRows): Order | undefined {
  let oldest: { since: number; record: Order } | undefined;
  for (const { unpaidSince: since, record } of order.values()) {
    if (since !== null && since < (oldest?.since ?? Infinity)) oldest = { since, record };
  }
  return oldest?.record;
}
