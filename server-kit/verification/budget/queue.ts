import { type Wait, whenAborted } from '../../async/wait.ts';
import type { Client } from '../../fairness/client.ts';
import type { Budget } from './budget.ts';
import { createEntry, type Entry, type Requested, type Verification } from './entry.ts';
import { createPriorityQueues, type Priority } from './priority-queues.ts';
import { createPump } from './pump.ts';

/** The verifications of this instance that wait for a permit of the shared budget, one per reference. */
export type VerificationQueue<T> = {
  /**
   * Queues a verification. Joins one that is already queued, at the higher of both priorities. It takes its turn among those
   * of the first known client that has requested it.
   */
  add: (reference: string, priority: Priority, client?: Client) => Verification<T>;
  /** Returns when a queued verification was requested last; `undefined` if it is not queued. */
  requestedAtMs: (reference: string) => number | undefined;
  /** Returns the client of each queued verification. */
  clients: () => Client[];
  /** Counts a verification that starts now, without a permit. */
  startAtOnce: () => void;
};

export type VerificationQueueOptions<T> = {
  budget: Budget;
  verify: (reference: string, requested: Requested) => Promise<T>;
  /** Whether a verification that only shoppers requested, at this moment last, is still wanted in its turn. */
  isWanted: (reference: string, requestedAtMs: number) => boolean;
  now: () => number;
  wait: Wait;
  /** From 0 up to, not including, 1: spreads instances that wait for the same budget. */
  random: () => number;
  /** Rejects the queued verifications that are not for shoppers alone. */
  stopping: AbortSignal;
};

/** How many run at once on this instance. Decisions on an account are not limited. */
export const maxInFlight = 64;

/** The lowest goes first. */
const rank: Record<Priority, number> = { callback: 0, waiting: 1, due: 2 };

export function createVerificationQueue<T>(options: VerificationQueueOptions<T>): VerificationQueue<T> {
  const { budget, verify, isWanted, now, stopping } = options;
  const queues = createPriorityQueues<Entry<T>>(({ client }) => client);
  /** Those for which it is not known yet whether they start at once. */
  const undecided: Entry<T>[] = [];
  let inFlight = 0;

  const run = async (reference: string, requested: Requested): Promise<T> => {
    inFlight++;
    try {
      return await verify(reference, requested);
    } finally {
      inFlight--;
      pump.run();
    }
  };
  const start = (permits: number): number => {
    for (let left = permits; left > 0; ) {
      const [reference, entry] = queues.next() ?? [];
      if (reference === undefined || entry === undefined) return left;
      if (entry.isRequired || isWanted(reference, entry.requestedAtMs)) {
        entry.start(run(reference, entry));
        left--;
      } else entry.drop(new Error(`No shopper waits for ${reference} any more.`), 'deferred');
    }
    return 0;
  };
  const dropAll = (reason: unknown, isDropped: (entry: Entry<T>) => boolean): void => {
    for (const [reference, entry] of queues.list()) {
      if (!isDropped(entry)) continue;
      queues.remove(reference);
      entry.drop(reason);
    }
  };
  const deferUndecided = (): void => undecided.splice(0).forEach(({ decide }) => void decide('deferred'));
  const pump = createPump({
    ...options,
    wanted: () => Math.max(0, Math.min(queues.size(), maxInFlight - inFlight)),
    start,
    onShort: deferUndecided,
    // The waiting requests may try again.
    onFailure: (error) => dropAll(error, () => true),
  });
  const dropRequired = (): void => dropAll(stopping.reason, ({ isRequired }) => isRequired);
  whenAborted(stopping, dropRequired);

  const join = (known: Entry<T>, reference: string, requested: Requested): void => {
    known.requestedAtMs = now();
    if (joinEntry(known, requested)) queues.put(reference, known.priority, known);
  };
  const enter = (reference: string, requested: Requested): Entry<T> => {
    const entry = createEntry<T>(requested, now());
    undecided.push(entry);
    queues.put(reference, requested.priority, entry);
    if (stopping.aborted) dropRequired();
    return entry;
  };

  return {
    add(reference, priority, client) {
      const known = queues.get(reference);
      if (known !== undefined) join(known, reference, { priority, client });
      const { verification } = known ?? enter(reference, { priority, client });
      if (pump.isPausing()) deferUndecided();
      pump.run();
      return verification;
    },
    requestedAtMs: (reference) => queues.get(reference)?.requestedAtMs,
    clients: () => queues.list().map(([, { client }]) => client),
    startAtOnce() {
      budget.spend(1);
      pump.run();
    },
  };
}

/** Joins a request to a queued verification. Returns whether that must be queued again: it goes first now, or its client is known. */
function joinEntry<T>(known: Entry<T>, { priority, client }: Requested): boolean {
  const isHigher = rank[priority] < rank[known.priority];
  const isFirstClient = known.client === undefined && client !== undefined;
  known.isRequired ||= priority !== 'waiting';
  if (isHigher) known.priority = priority;
  if (isFirstClient) known.client = client;
  return isHigher || isFirstClient;
}
