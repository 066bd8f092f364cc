import * as v from 'valibot';
import type { Order } from '../../checkout/order/record.ts';
import {
  mostCountedEvents,
  type Store,
  type StoreMeasures,
  toOutcomeCounts,
} from '../../checkout/ports/store.ts';
import { aFunction, objectWith, parseOptions } from '../../client/options/parse-options.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import { createMemoryRecords, type RecordRow, toStored } from './memory-records.ts';
import { isParked, openOf, type Queue } from './queue.ts';

/** All that a memory store knows. A changed row is a new object. */
export type MemoryRows = {
  records: Map<string, RecordRow>;
  /** The ids of their records. */
  references: Map<string, string>;
  /** By the ids of their records. */
  queues: Map<string, Queue>;
  /** The number of events of each outcome. */
  counts: Map<string, number>;
};

export const createMemoryRows = (): MemoryRows => ({
  records: new Map(),
  references: new Map(),
  queues: new Map(),
  counts: new Map(),
});

const MemoryStoreOptions = v.strictObject({
  /** The store's clock, in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** What the store begins with, and changes; for stores that keep it elsewhere. Default: nothing. */
  rows: v.optional(
    objectWith<MemoryRows>('queues', 'must be what createMemoryRows() returns'),
    createMemoryRows,
  ),
});
export type MemoryStoreOptions = v.InferInput<typeof MemoryStoreOptions>;

/**
 * Creates a store for tests and first tries: its content is lost when the process ends, and other processes do not see it.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { now, rows } = parseOptions(MemoryStoreOptions, options, 'createMemoryStore');
  const { store: outbox, add: addEvents } = createMemoryOutbox({
    queues: rows.queues,
    counts: rows.counts,
    now,
    recordOf: (id) => structuredClone(rows.records.get(id)?.record) ?? null,
  });
  const { records, wake } = createMemoryRecords({
    rows: rows.records,
    now,
    add(id, references, events) {
      if (references.some((reference) => rows.references.has(reference))) return false;
      for (const reference of references) rows.references.set(reference, id);
      addEvents(id, events);
      return true;
    },
  });

  return {
    isVolatile: true,
    migrate: async () => {},
    close: async () => {},
    ...records,
    ...outbox,
    async find(reference) {
      const row = rows.records.get(rows.references.get(reference) ?? '');
      return row && toStored(row, now());
    },
    async wake(reference, { leaseMs }) {
      const id = rows.references.get(reference);
      return id === undefined ? undefined : wake(id, leaseMs);
    },
    probe: async () => {},
    measure: async () => measure(rows, now()),
    findOldestUnpaid: async () => structuredClone(firstBy(rows, unpaidSince)?.record as Order | undefined),
    countOutcomes: async () => toOutcomeCounts(rows.counts),
  };
}

type TimeOf = (row: RecordRow) => number | null;

/** Returns the row of which this time is the earliest. */
function firstBy({ records }: MemoryRows, timeOf: TimeOf): RecordRow | undefined {
  let first: { row: RecordRow; time: number } | undefined;
  for (const row of records.values()) {
    const time = timeOf(row) ?? Infinity;
    if (time < (first?.time ?? Infinity)) first = { row, time };
  }
  return first?.row;
}

const unpaidSince: TimeOf = (row) => row.unpaidSince;

function measure(rows: MemoryRows, now: number): StoreMeasures {
  const ageOf = (timeOf: TimeOf): number | null => {
    const first = firstBy(rows, timeOf);
    return first === undefined ? null : Math.max(0, now - Number(timeOf(first)));
  };
  const queues = [...rows.queues.values()];
  const events = queues.flatMap((queue) => queue.events);
  const atMost = (count: number): number => Math.min(count, mostCountedEvents);
  return {
    openOrders: atMost([...rows.records.values()].filter((row) => row.unpaidSince !== null).length),
    oldestUnpaidMs: ageOf(unpaidSince),
    oldestConfirmingMs: ageOf(({ confirmingSince }) => confirmingSince),
    checkLagMs: ageOf(({ dueAt }) => dueAt) ?? 0,
    pendingOutboxEvents: atMost(queues.reduce((sum, queue) => sum + openOf(queue), 0)),
    parkedEvents: atMost(events.filter(isParked).length),
  };
}
