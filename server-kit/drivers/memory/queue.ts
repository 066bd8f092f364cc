import type { NewEvent } from '../../checkout/order/event.ts';
import {
  clockAheadMs,
  holdsUp,
  type OutboxEvent,
  type OutboxEventRun,
  type RunEnd,
} from '../../checkout/ports/store.ts';

/** What changes of a queued event: `deadAt` is when it became a dead letter. */
type Delivery = Pick<OutboxEvent, 'token' | 'failure'> & { deadAt: number | null };

/** An event that is neither done nor withdrawn. */
type QueuedEvent = NewEvent & Delivery;

/** The events of one order, or one unmatched payment, in their order. A changed queue is a new object. */
export type Queue = {
  events: readonly QueuedEvent[];
  /** The key of the event that runs, or of a dead letter that holds up the others. */
  currentKey: string | null;
  /** When the next event may run; the end of the lease while one runs; `null` if none can. */
  dueAt: number | null;
  changedAt: number;
};

export const isDead = ({ deadAt }: QueuedEvent): boolean => deadAt !== null;

/** The number of events that wait or run. */
export const openOf = ({ events }: Queue): number => events.filter((event) => !isDead(event)).length;

export const emptyQueue: Queue = { events: [], currentKey: null, dueAt: null, changedAt: 0 };

export const isRunning = ({ dueAt, currentKey, events }: Queue, { key, token }: OutboxEventRun): boolean =>
  dueAt !== null && currentKey === key && events.some((event) => event.key === key && event.token === token);

export const schedule = (queue: Queue, now: number, afterMs: number | null): Queue => ({
  ...queue,
  dueAt: afterMs === null ? null : now + afterMs,
  changedAt: now,
});

/** Makes the queue due, unless it is, an event runs, or a dead letter holds it up. */
const wake = (queue: Queue, now: number): Queue =>
  queue.currentKey === null && (queue.dueAt ?? Infinity) > now ? schedule(queue, now, 0) : queue;

/** A clock that was ahead may have been set back. A lease starts again. */
export const correct = (queue: Queue, now: number, leaseMs: number): Queue =>
  queue.dueAt !== null && queue.changedAt > now + clockAheadMs
    ? schedule(queue, now, queue.currentKey === null ? 0 : leaseMs)
    : queue;

const replace = (queue: Queue, key: string, change: Partial<Delivery>): Queue => ({
  ...queue,
  events: queue.events.map((event) => (event.key === key ? { ...event, ...change } : event)),
});

/** Starts the current event, if its run was lost, or the first that waits. */
export function start(queue: Queue): [Queue, OutboxEvent] {
  const isNext = (event: QueuedEvent): boolean =>
    queue.currentKey === null ? !isDead(event) : event.key === queue.currentKey;
  const next = queue.events.find(isNext) as QueuedEvent;
  const token = next.token + 1;
  return [
    { ...replace(queue, next.key, { token }), currentKey: next.key },
    { ...toOutboxEvent(next), token },
  ];
}

export function endRun(queue: Queue, run: OutboxEventRun, end: RunEnd, now: number): Queue {
  const deadAt = end.state === 'dead' ? now : null;
  const ended =
    'failure' in end
      ? replace(queue, run.key, { failure: end.failure, deadAt })
      : { ...queue, events: queue.events.filter(({ key }) => key !== run.key) };
  if (holdsUp(run, end)) return schedule(ended, now, null);
  const pauseMs = end.state === 'waiting' && openOf(queue) <= run.open ? end.afterMs : 0;
  return schedule({ ...ended, currentKey: null }, now, openOf(ended) === 0 ? null : pauseMs);
}

export function retry(queue: Queue, key: string, now: number): Queue | undefined {
  if (!queue.events.some((event) => event.key === key && isDead(event))) return undefined;
  const currentKey = queue.currentKey === key ? null : queue.currentKey;
  return wake({ ...replace(queue, key, { deadAt: null }), currentKey }, now);
}

export function append(queue: Queue, added: readonly NewEvent[], now: number): Queue {
  const rows = added.map((event) => ({ ...event, token: 0, failure: null, deadAt: null }));
  return wake({ ...queue, events: [...queue.events, ...rows] }, now);
}

export const toOutboxEvent = ({ deadAt, ...event }: QueuedEvent): OutboxEvent => event;
