import type { NewEvent } from '../../checkout/order/event.ts';
import {
  type ClaimedOutboxEvent,
  countsOf,
  mostListedWaiting,
  type OutboxEventRun,
  type OutboxStore,
} from '../../checkout/ports/store.ts';
import {
  append,
  emptyQueue,
  endRun,
  isParked,
  isRunning,
  openOf,
  type Queue,
  type QueuedEvent,
  resume,
  schedule,
  start,
  toOutboxEvent,
} from './queue.ts';

type MemoryOutboxOptions = {
  /** By the ids of their records. One without events is deleted. */
  queues: Map<string, Queue>;
  /** The number of events of each outcome, without those that were withdrawn. */
  counts: Map<string, number>;
  now: () => number;
  /** Returns a copy of a record. */
  recordOf: (id: string) => ClaimedOutboxEvent['record'];
};

/** Creates the outbox of the memory store, and a function that adds events. No method awaits anything, so each is atomic. */
export function createMemoryOutbox({ queues, counts, now, recordOf }: MemoryOutboxOptions) {
  const count = (name: string, number: number): void =>
    void counts.set(name, (counts.get(name) ?? 0) + number);
  const set = (id: string, queue: Queue): void =>
    void (queue.events.length > 0 ? queues.set(id, queue) : queues.delete(id));
  /** Changes the queue in which a run lasts; `undefined` if it has ended, or was lost. */
  const changeRun = (run: OutboxEventRun, change: (queue: Queue) => Queue): Queue | undefined => {
    const queue = queues.get(run.recordId);
    if (queue === undefined || !isRunning(queue, run)) return undefined;
    const changed = change(queue);
    set(run.recordId, changed);
    return changed;
  };

  const store: OutboxStore = {
    async claimOutboxEvent({ leaseMs }) {
      const nowMs = now();
      const dueAtOf = ([, { dueAt }]: [string, Queue]): number => dueAt ?? Infinity;
      const due = [...queues].filter((one) => dueAtOf(one) <= nowMs);
      const [first] = due.sort((left, right) => dueAtOf(left) - dueAtOf(right));
      if (first === undefined) return undefined;
      const [id, queue] = first;
      const [started, event] = start(queue);
      set(id, schedule(started, nowMs, leaseMs));
      const wasLost = queue.currentKey !== null;
      const open = openOf(queue);
      return { ...event, recordId: id, wasLost, open, record: recordOf(id), hasMore: due.length > 1 };
    },
    renewOutboxEvent: async (run, { leaseMs }) =>
      changeRun(run, (queue) => schedule(queue, now(), leaseMs)) !== undefined,
    async endOutboxEvent(run, end) {
      const ended = changeRun(run, (queue) => endRun(queue, run, end, now()));
      if (ended === undefined) return undefined;
      if (end.state === 'withdrawn') count(run.outcome, -1);
      return { nextAfterMs: ended.dueAt === null ? null : ended.dueAt - now() };
    },
    listWaiting: async () =>
      [...queues]
        .flatMap(([id, { events }]) => events.map((event) => ({ id, event })))
        .filter(({ event }) => isParked(event) || event.failure !== null)
        .sort((left, right) => left.event.since - right.event.since)
        .slice(0, mostListedWaiting)
        .map(({ id, event }) => ({
          ...toOutboxEvent(event),
          record: recordOf(id),
          isParked: isParked(event),
        })),
    async resume({ outcomes, withinMs, isStart }) {
      const isMeant = (event: QueuedEvent): boolean =>
        isParked(event) && outcomes.includes(event.outcome) && (isStart || event.failure === null);
      const hasPause = ({ currentKey, dueAt }: Queue): boolean => currentKey === null && dueAt !== null;
      const meant = [...queues].filter(
        ([, queue]) => queue.events.some(isMeant) || (isStart && hasPause(queue)),
      );
      for (const [index, [id, queue]] of meant.entries())
        set(id, resume(queue, isMeant, now(), Math.floor((index * withinMs) / meant.length)));
    },
  };
  const add = (id: string, added: readonly NewEvent[]): void => {
    if (added.length === 0) return;
    set(id, append(queues.get(id) ?? emptyQueue, added, now()));
    for (const name of added.flatMap(countsOf)) count(name, 1);
  };
  return { store, add };
}
