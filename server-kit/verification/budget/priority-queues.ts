import type { Client } from '../../fairness/client.ts';
import { createFairQueue, type FairQueue } from '../../fairness/fair-queue.ts';

/**
 * - `callback`: a callback has named the payment
 * - `waiting`: a shopper waits for the payment
 * - `due`: nobody waits, but the payment is verified from time to time
 */
export type Priority = 'callback' | 'waiting' | 'due';

/** The queued verifications by reference, in the order in which they start. */
export type PriorityQueues<Entry> = {
  get: (reference: string) => Entry | undefined;
  /** Adds an entry at the end of its queue, and removes it from any other queue. */
  put: (reference: string, priority: Priority, entry: Entry) => void;
  /** Removes and returns the next one. */
  next: () => readonly [reference: string, entry: Entry] | undefined;
  remove: (reference: string) => void;
  size: () => number;
  /** Returns all of them, in no order. */
  list: () => (readonly [reference: string, entry: Entry])[];
};

/** Every fourth start goes to a payment that no callback names, and every fourth of these to one that nobody waits for. */
const turns = 4;

/**
 * Creates one queue per priority, in which clients take turns. Payments named by callbacks come first, but a quarter of the starts is
 * reserved for the others: their callbacks may be late or lost, and they must not wait forever.
 */
export function createPriorityQueues<Entry>(clientOf: (entry: Entry) => Client): PriorityQueues<Entry> {
  const queues: Record<Priority, FairQueue<Entry>> = {
    callback: createFairQueue(clientOf),
    waiting: createFairQueue(clientOf),
    due: createFairQueue(clientOf),
  };
  const all = Object.values(queues);
  const takesSecond = (first: Priority, second: Priority, isTurn: () => boolean): Priority => {
    if (queues[first].size() === 0) return second;
    return queues[second].size() > 0 && isTurn() ? second : first;
  };
  const isUnnamedTurn = createTurn();
  const isDueTurn = createTurn();

  return {
    get: (reference) => all.map((queue) => queue.get(reference)).find((entry) => entry !== undefined),
    put(reference, priority, entry) {
      for (const queue of all) queue.remove(reference);
      queues[priority].put(reference, entry);
    },
    next() {
      const unnamed: Priority = queues.waiting.size() > 0 ? 'waiting' : 'due';
      const first = takesSecond('callback', unnamed, isUnnamedTurn);
      return queues[first === 'waiting' ? takesSecond('waiting', 'due', isDueTurn) : first].next();
    },
    remove(reference) {
      for (const queue of all) queue.remove(reference);
    },
    size: () => all.reduce((sum, queue) => sum + queue.size(), 0),
    list: () => all.flatMap((queue) => queue.list()),
  };
}

/** Returns true at every fourth call. */
function createTurn(): () => boolean {
  let calls = 0;
  return () => ++calls % turns === 0;
}
