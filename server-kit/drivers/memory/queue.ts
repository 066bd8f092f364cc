import type { NewEvent } from '../../checkout/order/event.ts';
import type { OutboxEvent, OutboxEventRun, RunEnd } from '../../checkout/ports/store.ts';

/** What changes of a queued event. `since`: when it left `waiting`, or failed last as a deferred one. */
type Delivery = Pick<OutboxEvent, 'token' | 'failure'> & {
  state: 'waiting' | 'deferred' | 'parked';
  since: number;
};

/** An event that is neither done nor withdrawn. */
export type QueuedEvent = NewEvent & Delivery;

/** The events of one order, in their order. A changed queue is a new object. */
export type Queue = {
  events: readonly QueuedEvent[];
  /** The key of the event that runs. */
  currentKey: string | null;
  /** When the next event may run; the end of the lease while one runs; `null` if none can. */
  dueAt: number | null;
};

export const isParked = ({ state }: QueuedEvent): boolean => state === 'parked';
const isOpen = (event: QueuedEvent): boolean => !isParked(event);

/** The number of events that wait or run. */
export const openOf = ({ events }: Queue): number => events.filter(isOpen).length;

export const emptyQueue: Queue = { events: [], currentKey: null, dueAt: null };

export const isRunning = ({ dueAt, currentKey, events }: Queue, { key, token }: OutboxEventRun): boolean =>
  dueAt !== null && currentKey === key && events.some((event) => event.key === key && event.token === token);

export const schedule = (queue: Queue, now: number, afterMs: number | null): Queue => ({
  ...queue,
  dueAt: afterMs === null ? null : now + afterMs,
});

/** Makes the queue due after this time, unless it is due before or an event runs. */
const wake = (queue: Queue, now: number, afterMs = 0): Queue =>
  queue.currentKey === null && (queue.dueAt ?? Infinity) > now + afterMs
    ? schedule(queue, now, afterMs)
    : queue;

const replace = (queue: Queue, key: string, change: Partial<Delivery>): Queue => ({
  ...queue,
  events: queue.events.map((event) => (event.key === key ? { ...event, ...change } : event)),
});

/** Starts the current event, if its run was lost, or the first that waits, or else the one that was deferred first. */
export function start(queue: Queue): [Queue, OutboxEvent] {
  const isNext = (event: QueuedEvent): boolean =>
    queue.currentKey === null ? isOpen(event) : event.key === queue.currentKey;
  const rankOf = ({ state, since }: QueuedEvent): number => (state === 'deferred' ? since : 0);
  const [next] = queue.events.filter(isNext).sort((left, right) => rankOf(left) - rankOf(right)) as [
    QueuedEvent,
  ];
  const token = next.token + 1;
  return [
    { ...replace(queue, next.key, { token }), currentKey: next.key },
    { ...toOutboxEvent(next), token },
  ];
}

export function endRun(queue: Queue, run: OutboxEventRun, end: RunEnd, now: number): Queue {
  const ended =
    end.state === 'done' || end.state === 'withdrawn'
      ? { ...queue, events: queue.events.filter(({ key }) => key !== run.key) }
      : replace(queue, run.key, {
          state: end.state,
          since: now,
          ...('failure' in end && { failure: end.failure ?? null }),
        });
  const mayPass = ({ key, state }: QueuedEvent): boolean => key !== run.key && state === 'waiting';
  const isPassed = end.state === 'deferred' && queue.events.some(mayPass);
  const pauseMs = 'afterMs' in end && openOf(queue) <= run.open && !isPassed ? end.afterMs : 0;
  return schedule({ ...ended, currentKey: null }, now, openOf(ended) === 0 ? null : pauseMs);
}

/** Makes parked events due after this time, and, at a start, the others. */
export function resume(
  queue: Queue,
  isMeant: (event: QueuedEvent) => boolean,
  now: number,
  afterMs: number,
): Queue {
  const events = queue.events.map((event) =>
    isMeant(event) ? { ...event, state: 'waiting' as const } : event,
  );
  return wake({ ...queue, events }, now, afterMs);
}

export function append(queue: Queue, added: readonly NewEvent[], now: number): Queue {
  const rows = added.map((event) => ({
    ...event,
    token: 0,
    failure: null,
    state: 'waiting' as const,
    since: 0,
  }));
  return wake({ ...queue, events: [...queue.events, ...rows] }, now);
}

export const toOutboxEvent = ({ state, since, ...event }: QueuedEvent): OutboxEvent => event;
