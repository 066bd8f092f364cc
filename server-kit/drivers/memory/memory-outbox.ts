import type { NewEvent } from '../../checkout/order/event.ts';
import {
  type ClaimedOutboxEvent,
  clockAheadMs,
  holdsUp,
  type OutboxEvent,
  type OutboxEventRun,
  type OutboxStore,
  type RunEnd,
} from '../../checkout/ports/store.ts';

/** An event that is neither done nor withdrawn. */
type QueuedEvent = OutboxEvent & { deadAt: number | null };

/** The events of one order, or one unmatched payment, in their order. A changed queue is a new object. */
export type Queue = {
  events: readonly QueuedEvent[];
  /** The key of the event that runs, or of a dead letter that holds up the others. */
  currentKey: string | null;
  /** When the next event may run; the end of the lease while one runs; `null` if none can. */
  dueAt: number | null;
  changedAt: number;
};

type MemoryOutboxOptions = {
  /** By their order or unmatched payment. One without events is deleted. */
  queues: Map<string, Queue>;
  /** The number of events of each outcome, without those that were withdrawn. */
  counts: Map<string, number>;
  now: () => number;
  /** Returns a copy of what an event is about. */
  recordOf: (event: NewEvent) => ClaimedOutboxEvent['record'];
};

/** Creates the outbox of the memory store, and a function that adds events. No method awaits anything, so each is atomic. */
export function createMemoryOutbox({ queues, counts, now, recordOf }: MemoryOutboxOptions) {
  const count = (name: string, number: number): void =>
    void counts.set(name, (counts.get(name) ?? 0) + number);
  const set = (owner: string, queue: Queue): void =>
    void (queue.events.length > 0 ? queues.set(owner, queue) : queues.delete(owner));
  /** Changes the queue that this returns a change of, if any. */
  const changeOne = (change: (queue: Queue) => Queue | undefined): Queue | undefined => {
    for (const [owner, queue] of queues) {
      const changed = change(queue);
      if (changed !== undefined) set(owner, changed);
      if (changed !== undefined) return changed;
    }
    return undefined;
  };

  const store: OutboxStore = {
    async claimOutboxEvent({ leaseMs }) {
      const nowMs = now();
      for (const [owner, queue] of queues) set(owner, correct(queue, nowMs, leaseMs));
      const due = [...queues].filter(([, queue]) => dueAtOf(queue) <= nowMs);
      const [first] = due.sort(([, left], [, right]) => dueAtOf(left) - dueAtOf(right));
      if (first === undefined) return undefined;
      const [owner, queue] = first;
      const [started, event] = start(queue);
      set(owner, schedule(started, nowMs, leaseMs));
      const wasLost = queue.currentKey !== null;
      return { ...event, wasLost, record: recordOf(event), hasMore: due.length > 1 };
    },
    renewOutboxEvent: async (run, { leaseMs }) =>
      changeOne((queue) => (isRunning(queue, run) ? schedule(queue, now(), leaseMs) : undefined)) !==
      undefined,
    async endOutboxEvent(run, end) {
      const ended = changeOne((queue) =>
        isRunning(queue, run) ? endRun(queue, run, end, now()) : undefined,
      );
      if (ended === undefined) return undefined;
      if (end.state === 'withdrawn') count(run.outcome, -1);
      return { nextAfterMs: ended.dueAt === null ? null : ended.dueAt - ended.changedAt };
    },
    listDeadLetters: async () =>
      [...queues.values()]
        .flatMap(({ events }) => events.filter(isDead))
        .sort((left, right) => Number(left.deadAt) - Number(right.deadAt))
        .map(toOutboxEvent),
    retryDeadLetter: async (key) => changeOne((queue) => retry(queue, key, now())) !== undefined,
  };
  const add = (owner: string, added: readonly NewEvent[]): void => {
    if (added.length === 0) return;
    set(owner, append(queues.get(owner) ?? emptyQueue, added, now()));
    for (const { outcome } of added) count(outcome, 1);
    count('late', added.filter(({ isLate }) => isLate).length);
  };
  return { store, add };
}

export const isDead = ({ deadAt }: QueuedEvent): boolean => deadAt !== null;

const emptyQueue: Queue = { events: [], currentKey: null, dueAt: null, changedAt: 0 };

const dueAtOf = ({ dueAt }: Queue): number => dueAt ?? Infinity;

const isRunning = ({ dueAt, currentKey, events }: Queue, { key, token }: OutboxEventRun): boolean =>
  dueAt !== null && currentKey === key && events.some((event) => event.key === key && event.token === token);

const schedule = (queue: Queue, now: number, afterMs: number | null): Queue => ({
  ...{ ...queue, dueAt: afterMs === null ? null : now + afterMs, changedAt: now },
});

/** Makes the queue due, unless it is, or a dead letter holds it up. */
const wake = (queue: Queue, now: number): Queue =>
  queue.dueAt === null && queue.currentKey === null ? schedule(queue, now, 0) : queue;

/** A clock that was ahead may have been set back. A lease begins anew. */
const correct = (queue: Queue, now: number, leaseMs: number): Queue =>
  queue.dueAt !== null && queue.changedAt > now + clockAheadMs
    ? schedule(queue, now, queue.currentKey === null ? 0 : leaseMs)
    : queue;

const replace = (queue: Queue, key: string, change: Partial<QueuedEvent>): Queue => ({
  ...queue,
  events: queue.events.map((event) => (event.key === key ? { ...event, ...change } : event)),
});

/** Starts the current event, if its run was lost, or the first that waits. */
function start(queue: Queue): [Queue, OutboxEvent] {
  const isNext = (event: QueuedEvent): boolean =>
    queue.currentKey === null ? !isDead(event) : event.key === queue.currentKey;
  const next = queue.events.find(isNext) as QueuedEvent;
  const token = next.token + 1;
  return [
    { ...replace(queue, next.key, { token }), currentKey: next.key },
    { ...toOutboxEvent(next), token },
  ];
}

function endRun(queue: Queue, run: OutboxEventRun, end: RunEnd, now: number): Queue {
  const deadAt = end.state === 'dead' ? now : null;
  const ended =
    'failure' in end
      ? replace(queue, run.key, { failure: end.failure, deadAt })
      : { ...queue, events: queue.events.filter(({ key }) => key !== run.key) };
  if (holdsUp(run, end)) return schedule(ended, now, null);
  const pauseMs = end.state === 'waiting' ? end.afterMs : 0;
  return schedule({ ...ended, currentKey: null }, now, ended.events.every(isDead) ? null : pauseMs);
}

function retry(queue: Queue, key: string, now: number): Queue | undefined {
  if (!queue.events.some((event) => event.key === key && isDead(event))) return undefined;
  const currentKey = queue.currentKey === key ? null : queue.currentKey;
  return wake({ ...replace(queue, key, { deadAt: null }), currentKey }, now);
}

function append(queue: Queue, added: readonly NewEvent[], now: number): Queue {
  const rows = added.map((event) => ({ ...event, token: 0, failure: null, deadAt: null }));
  return wake({ ...queue, events: [...queue.events, ...rows] }, now);
}

const toOutboxEvent = ({ deadAt, ...event }: QueuedEvent): OutboxEvent => event;
