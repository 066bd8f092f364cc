import type { NewEvent } from '../../checkout/order/event.ts';
import {
  type ClaimedOutboxEvent,
  clockAheadMs,
  type OutboxEvent,
  type OutboxEventRun,
  type OutboxStore,
} from '../../checkout/ports/store.ts';

/** An event as the memory store keeps it. `dueAt` is the end of the lease while its handler runs. */
export type EventRow = { event: OutboxEvent; dueAt: number; changedAt: number };

/** The events of one order, or one unmatched payment, by their position. A changed list is a new object. */
export type EventList = readonly EventRow[];

type MemoryOutboxOptions = {
  /** By their order or unmatched payment. */
  events: Map<string, EventList>;
  /** The number of events of each outcome, without those that were withdrawn. */
  counts: Map<string, number>;
  now: () => number;
  /** Returns a copy of what an event is about. */
  recordOf: (event: NewEvent) => ClaimedOutboxEvent['record'];
};

/**
 * Creates the outbox of the memory store, and a function that adds events. No method awaits anything, so each is atomic. An event behind a
 * dead `paid` waits: to mark it as `blocked` is for stores that cannot read all events.
 */
export function createMemoryOutbox({ events, counts, now, recordOf }: MemoryOutboxOptions) {
  const { openOwners, listOpen, changeIf, append } = createEventLists(events, now);
  const changeRun = ({ key, token }: OutboxEventRun, change: Partial<OutboxEvent>, afterMs = 0) =>
    changeIf(
      openOwners,
      ({ event }) => event.key === key && event.token === token && event.state === 'running',
      change,
      afterMs,
    );
  const count = (name: string, number: number): void =>
    void counts.set(name, (counts.get(name) ?? 0) + number);

  const store: OutboxStore = {
    async claimOutboxEvent({ leaseMs }) {
      const candidates = findCandidates(listOpen(leaseMs), now());
      const [first] = candidates;
      if (first === undefined) return undefined;
      const next = candidates.reduce((longest, row) => (row.dueAt < longest.dueAt ? row : longest), first);
      const { event } = next;
      const change = { state: 'running', token: event.token + 1 } as const;
      changeIf(openOwners, (row) => row === next, change, leaseMs);
      const hasMore = candidates.length > 1;
      return { ...event, ...change, wasLost: event.state === 'running', record: recordOf(event), hasMore };
    },
    renewOutboxEvent: async (run, { leaseMs }) => changeRun(run, {}, leaseMs) !== undefined,
    async finishOutboxEvent(run) {
      const ended = changeRun(run, { state: 'done', failure: null });
      return ended && { hasNext: ended.hasNext };
    },
    async releaseOutboxEvent(run, end) {
      const { state, failure, afterMs } = { failure: null, afterMs: 0, ...end };
      const released = changeRun(run, { state, failure }, afterMs);
      if (released !== undefined && state === 'withdrawn') count(released.event.outcome, -1);
      return released !== undefined;
    },
    listDeadLetters: async () =>
      [...events.values()]
        .flatMap((list) => list.filter(isDead))
        .sort((left, right) => left.changedAt - right.changedAt)
        .map(({ event }) => ({ ...event })),
    retryDeadLetter: async (key) =>
      changeIf(events.keys(), (row) => row.event.key === key && isDead(row), { state: 'waiting' }) !==
      undefined,
  };
  const add = (owner: string, added: readonly NewEvent[]): void => {
    append(owner, added);
    for (const { outcome, isLate } of added) {
      count(outcome, 1);
      if (isLate) count('late', 1);
    }
  };
  return { store, add };
}

function createEventLists(lists: Map<string, EventList>, now: () => number) {
  /** The owners of events that wait or run: few, however many orders there are. */
  const openOwners = new Set<string>();
  const set = (owner: string, list: EventList): void => {
    lists.set(owner, list);
    if (list.some(isOpen)) openOwners.add(owner);
    else openOwners.delete(owner);
  };
  for (const [owner, list] of lists) set(owner, list);

  return {
    openOwners,
    append(owner: string, added: readonly NewEvent[]): void {
      const delivery = { state: 'waiting', token: 0, failure: null } as const;
      const rows = added.map((event) => ({
        event: { ...event, ...delivery },
        dueAt: now(),
        changedAt: now(),
      }));
      if (rows.length > 0) set(owner, [...(lists.get(owner) ?? []), ...rows]);
    },
    /** Returns the lists with open events. A clock that was ahead may have been set back: then they are due, or a lease begins anew. */
    listOpen(leaseMs: number): EventList[] {
      const isAhead = (row: EventRow): boolean => row.changedAt > now() + clockAheadMs && row.dueAt > now();
      const dueAtOf = ({ event }: EventRow): number => now() + (event.state === 'running' ? leaseMs : 0);
      return [...openOwners].map((owner) => {
        const list = lists.get(owner) ?? [];
        if (!list.some(isAhead)) return list;
        const corrected = list.map((row) =>
          isAhead(row) ? { ...row, dueAt: dueAtOf(row), changedAt: now() } : row,
        );
        set(owner, corrected);
        return corrected;
      });
    },
    /**
     * Changes the first event that is as expected, and returns it as it was. The events that have waited for a run that ends are due;
     * `hasNext` says whether there are any.
     */
    changeIf(
      owners: Iterable<string>,
      isExpected: (row: EventRow) => boolean,
      change: Partial<OutboxEvent>,
      afterMs = 0,
    ): { event: OutboxEvent; hasNext: boolean } | undefined {
      const times = { dueAt: now(), changedAt: now() };
      const isEnd = ['done', 'dead', 'withdrawn'].includes(change.state ?? '');
      for (const owner of owners) {
        const list = lists.get(owner) ?? [];
        const row = list.find(isExpected);
        if (row === undefined) continue;
        const changed = { event: { ...row.event, ...change }, ...times, dueAt: now() + afterMs };
        const isNext = (one: EventRow): boolean => isEnd && one !== row && one.event.state === 'waiting';
        const others = (one: EventRow): EventRow => (isNext(one) ? { ...one, ...times } : one);
        set(
          owner,
          list.map((one) => (one === row ? changed : others(one))),
        );
        return { event: row.event, hasNext: list.some(isNext) };
      }
      return undefined;
    },
  };
}

export const isOpen = ({ event }: EventRow): boolean =>
  event.state === 'waiting' || event.state === 'running';
export const isDead = ({ event }: EventRow): boolean => event.state === 'dead';

/** Returns the events whose turn it is. */
const findCandidates = (lists: readonly EventList[], now: number): EventRow[] =>
  lists.flatMap((list) =>
    list.filter(
      (row, index) =>
        isOpen(row) && row.dueAt <= now && !list.some((other, at) => holdsUp(other, at - index, now)),
    ),
  );

/** Whether an event has to wait for another one of its list, which is this far behind it. */
function holdsUp(other: EventRow, distance: number, now: number): boolean {
  if (distance < 0) return isOpen(other) || (isDead(other) && other.event.outcome === 'paid');
  return distance > 0 && other.event.state === 'running' && other.dueAt > now;
}
