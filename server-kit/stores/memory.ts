import * as v from 'valibot';
import { aFunction, objectWith, parseOptions } from '../core/options.ts';
import { lateConfirmationMs } from '../engine/order/money.ts';
import {
  countsOf,
  mostCounted,
  mostFound,
  type OutboxEvent,
  type RecordWrite,
  type Store,
  type StoredRecord,
} from '../engine/store.ts';

/** `claims` is the number of the last claim. */
type OrderRow = Pick<StoredRecord, 'record' | 'version'> & {
  dueAt: number | null;
  claims: number;
  isWoken: boolean;
  unpaidSince: number | null;
  confirmingSince: number | null;
  personSince: number | null;
  accountNumbers: readonly string[];
  changedAt: number;
};

/** An event that is neither done nor withdrawn. `since`: when it was parked, or failed last as a deferred one. */
type EventRow = OutboxEvent & { state: 'waiting' | 'deferred' | 'parked'; since: number };

/** The events of an order. `dueAt`: when one may run; the end of the lease while one runs; `null` if none can. */
type Queue = { id: string; events: EventRow[]; runningKey: string | null; dueAt: number | null };

/** Creates all that a memory store knows, by the ids of orders; counts by outcome. A queue without events is deleted. */
export const createMemoryRows = () => ({
  orders: new Map<string, OrderRow>(),
  references: new Map<string, string>(),
  queues: new Map<string, Queue>(),
  counts: new Map<string, number>(),
});
export type MemoryRows = ReturnType<typeof createMemoryRows>;

const MemoryStoreOptions = v.strictObject({
  /** The store's clock, in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** What the store begins with, and changes; for stores that keep it elsewhere. Default: nothing. */
  rows: v.optional(objectWith<MemoryRows>('queues', 'must come from createMemoryRows()'), createMemoryRows),
});
export type MemoryStoreOptions = v.InferInput<typeof MemoryStoreOptions>;

/**
 * Creates a store for tests and first tries: its content is lost when the process ends, and other processes do not see it.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { now, rows } = parseOptions(MemoryStoreOptions, options, 'createMemoryStore');
  return {
    isVolatile: true,
    prepare: async () => {},
    ...createOrders(rows, now),
    ...createOutbox(rows, now),
    readStatus: async ({ mostWaiting }) => readStatus(rows, now(), mostWaiting),
  };
}

/** No function here or below awaits anything, so each is atomic. */
function createOrders({ orders, references, queues, counts }: MemoryRows, now: () => number) {
  const toStored = ({ record, version }: OrderRow): StoredRecord => ({
    record: structuredClone(record),
    version,
    storeNow: now(),
  });
  const claim = (row: OrderRow, leaseMs: number) => {
    row.claims++;
    row.dueAt = now() + leaseMs;
    return { ...toStored(row), claim: row.claims, isWoken: row.isWoken };
  };
  const rowOf = (reference: string) => orders.get(references.get(reference) ?? '');
  return {
    async find(by) {
      const row = 'orderId' in by ? orders.get(by.orderId) : rowOf(by.reference);
      return row === undefined ? { record: null, version: 0, storeNow: now() } : toStored(row);
    },
    async findOrders(text) {
      const ids = [...orders].filter(
        ([id, row]) => id === text || references.get(text) === id || row.accountNumbers.includes(text),
      );
      const latest = ids.sort(([, left], [, right]) => right.changedAt - left.changedAt).slice(0, mostFound);
      return latest.map(([id, row]) => ({ ...toStored(row), events: eventsOf(queues.get(id)) }));
    },
    async write(change) {
      const { id, version, events, references: added } = change;
      const row = orders.get(id);
      if (added.some((one) => references.has(one)) || (row?.version ?? 0) !== version) return false;
      orders.set(id, rewritten(row, change, now()));
      for (const reference of added) references.set(reference, id);
      for (const name of events.flatMap(countsOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
      if (events.length === 0) return true;
      const queue = queues.get(id) ?? { id, events: [], runningKey: null, dueAt: null };
      const notRun = { token: 0, failure: null, state: 'waiting', since: 0 } as const;
      queue.events.push(...events.map((event) => ({ ...event, ...notRun })));
      wake(queue, now());
      queues.set(id, queue);
      return true;
    },
    async claimOrders({ leaseMs, ...which }) {
      if ('reference' in which) {
        const row = rowOf(which.reference);
        if (row !== undefined) row.isWoken = true;
        return row === undefined ? [] : [claim(row, leaseMs)];
      }
      const due = allDue(orders, now()).sort((left, right) => Number(right.isWoken) - Number(left.isWoken));
      return due.slice(0, which.limit).map((row) => claim(row, leaseMs));
    },
    async reschedule({ id, version, dueAfterMs, claim, isServed }) {
      const row = orders.get(id);
      if (row?.claims !== claim) return;
      const next = after(dueAfterMs, now()) ?? (isServed ? null : row.dueAt);
      if (version === row.version) row.dueAt = next;
      if (isServed) row.isWoken = false;
    },
  } satisfies Partial<Store>;
}

/** Returns the rows that have this time, the earliest first. */
const sortBy = <Row>(rows: Iterable<Row>, timeOf: (row: Row) => number | null): Row[] =>
  [...rows]
    .filter((row) => timeOf(row) !== null)
    .sort((left, right) => Number(timeOf(left)) - Number(timeOf(right)));

const allDue = <Row extends { dueAt: number | null }>(rows: ReadonlyMap<string, Row>, now: number): Row[] =>
  sortBy(rows.values(), ({ dueAt }) => dueAt).filter(({ dueAt }) => Number(dueAt) <= now);

const after = (ms: number | null, now: number): number | null => (ms === null ? null : now + ms);

/** The last claim serves the wakes before it. While one is not served, the order stays due. */
function rewritten(row: OrderRow | undefined, change: RecordWrite, now: number): OrderRow {
  const isWoken = row?.isWoken === true && change.claim !== row.claims;
  const since = (isSo: boolean, before: number | null = null) => (isSo ? (before ?? now) : null);
  return {
    record: structuredClone(change.record),
    version: change.version + 1,
    dueAt: isWoken ? row.dueAt : after(change.dueAfterMs, now),
    claims: row?.claims ?? 0,
    isWoken,
    unpaidSince: since(change.awaits === 'money', row?.unpaidSince),
    confirmingSince: since(change.awaits === 'confirmation', row?.confirmingSince),
    personSince: since(change.needsPerson, row?.personSince),
    accountNumbers: [...(row?.accountNumbers ?? []), ...change.accountNumbers],
    changedAt: now,
  };
}

const eventsOf = (queue: Queue | undefined) =>
  (queue?.events ?? []).map(({ state, since, ...event }) => ({ ...event, isParked: state === 'parked' }));

function createOutbox({ orders, queues, counts }: MemoryRows, now: () => number) {
  return {
    async claimOutboxEvent({ leaseMs }) {
      const [queue, another] = allDue(queues, now());
      if (queue === undefined) return undefined;
      const { id: recordId, runningKey } = queue;
      const event = nextOf(queue);
      event.token++;
      Object.assign(queue, { runningKey: event.key, dueAt: now() + leaseMs });
      const facts = { recordId, wasLost: runningKey !== null, open: openOf(queue) };
      return { ...facts, ...toClaimed(event, orders.get(recordId)), hasMore: another !== undefined };
    },
    async updateOutboxEvent({ recordId, key, token, outcome, open }, end) {
      const queue = queues.get(recordId);
      const event = queue?.events.find((one) => one.key === key && one.token === token);
      // The run has ended, or was lost.
      if (event === undefined || queue?.runningKey !== key) return undefined;
      if (end.state === 'running') {
        queue.dueAt = now() + end.leaseMs;
        return { nextAfterMs: end.leaseMs };
      }
      if (end.state === 'withdrawn') counts.set(outcome, (counts.get(outcome) ?? 0) - 1);
      if (end.state === 'done' || end.state === 'withdrawn')
        queue.events.splice(queue.events.indexOf(event), 1);
      else Object.assign(event, { state: end.state, since: now(), failure: end.failure ?? event.failure });
      if (queue.events.length === 0) queues.delete(queue.id);
      const isPassed = end.state === 'deferred' && queue.events.some(({ state }) => state === 'waiting');
      const pauseMs = 'afterMs' in end && openOf(queue) <= open && !isPassed ? end.afterMs : 0;
      const nextAfterMs = openOf(queue) === 0 ? null : pauseMs;
      Object.assign(queue, { runningKey: null, dueAt: after(nextAfterMs, now()) });
      return { nextAfterMs };
    },
    async resumeOutboxEvents({ outcomes, withinMs, isStart }) {
      const isMeant = (event: EventRow): boolean =>
        isParked(event) && outcomes.includes(event.outcome) && (isStart || event.failure === null);
      const meant = [...queues.values()].filter(
        ({ events, dueAt }) => events.some(isMeant) || (isStart && dueAt !== null),
      );
      for (const [index, queue] of meant.entries()) {
        for (const event of queue.events.filter(isMeant)) event.state = 'waiting';
        wake(queue, now() + Math.floor((index * withinMs) / meant.length));
      }
    },
  } satisfies Partial<Store>;
}

const isParked = ({ state }: EventRow): boolean => state === 'parked';

/** The number of events that wait or run. */
const openOf = ({ events }: Queue): number => events.filter((event) => !isParked(event)).length;

/** Makes the queue due at this time, unless it is due before or an event runs. */
function wake(queue: Queue, atMs: number): void {
  if (queue.runningKey === null) queue.dueAt = Math.min(queue.dueAt ?? atMs, atMs);
}

/** Returns the event whose run was lost, or the first that waits, or else the one that was deferred first. */
function nextOf({ events, runningKey }: Queue): EventRow {
  const isNext = (event: EventRow) => (runningKey === null ? !isParked(event) : event.key === runningKey);
  const rankOf = ({ state, since }: EventRow): number => (state === 'deferred' ? since : 0);
  return sortBy(events.filter(isNext), rankOf)[0] as EventRow;
}

const toClaimed = ({ state, since, ...event }: EventRow, row: OrderRow | undefined) => ({
  ...event,
  record: structuredClone(row?.record) ?? null,
});

function readStatus({ orders, queues, counts }: MemoryRows, now: number, mostWaiting: number) {
  const ageOf = (since: number | null = null) => (since === null ? null : Math.max(0, now - since));
  const [confirming] = sortBy(orders.values(), (row) => row.confirmingSince);
  const [due] = sortBy(orders.values(), (row) => row.dueAt);
  const unpaid = sortBy(orders.values(), (row) => row.unpaidSince);
  const events = [...queues.values()].flatMap((queue) => queue.events);
  const waiting = events.filter((event) => isParked(event) || event.failure !== null);
  const parked = events.filter(isParked).length;
  const isLate = ({ confirmingSince }: OrderRow) => Number(ageOf(confirmingSince)) >= lateConfirmationMs;
  const personSince = (row: OrderRow) => row.personSince ?? (isLate(row) ? row.confirmingSince : null);
  return {
    openOrders: Math.min(unpaid.length, mostCounted),
    oldestUnpaidMs: ageOf(unpaid[0]?.unpaidSince),
    oldestConfirmingMs: ageOf(confirming?.confirmingSince),
    checkLagMs: ageOf(due?.dueAt) ?? 0,
    pendingOutboxEvents: Math.min(events.length - parked, mostCounted),
    parkedEvents: Math.min(parked, mostCounted),
    oldestUnpaid: structuredClone(unpaid[0]?.record) ?? null,
    outcomes: Object.fromEntries(counts),
    waiting: sortBy(waiting, ({ since }) => since)
      .slice(0, mostWaiting)
      .map((event) => ({ ...toClaimed(event, orders.get(event.orderId)), isParked: isParked(event) })),
    needingPerson: sortBy(orders.values(), personSince)
      .slice(0, mostWaiting)
      .map((row) => ({ record: structuredClone(row.record), sinceMs: ageOf(personSince(row)) ?? 0 })),
  };
}
