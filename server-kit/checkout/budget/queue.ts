import { type Wait, whenAborted } from '../../client/async/wait.ts';
import type { Client } from '../fairness/client.ts';
import { createFairQueue } from '../fairness/fair-queue.ts';
import type { Budget } from './budget.ts';

/**
 * - `callback`: a callback has named the payment
 * - `waiting`: a shopper waits for it
 * - `due`: nobody waits, but it is verified from time to time
 */
export type Cause = 'callback' | 'waiting' | 'due';

/** Every fourth start goes to payments that no callback has named: callbacks may be late or lost. */
const turns = 4;

/** How many run at once on this instance. Decisions on an account are not limited. */
export const maxInFlight = 64;

/** A verification in the queue. */
type Queued<T, Known> = {
  reference: string;
  client: Client;
  /** What the last caller knew. */
  known: Known | undefined;
  isNamedByCallback: boolean;
  /** Whether it is needed even if no shopper waits any more. */
  isRequired: boolean;
  /** Resolves when it starts. Rejects when it never will. May be left unhandled. */
  begun: Promise<{ work: Promise<T> }>;
  begin: (work: Promise<T>) => void;
  drop: (reason: unknown) => void;
};

/** Whose shopper waits, and what the caller knows of the payment. */
type Caller<Known> = { client?: Client; known?: Known | undefined };

export type QueueOptions<T, Known> = {
  budget: Pick<Budget, 'take'>;
  run: (reference: string, isNamedByCallback: boolean, known: Known | undefined) => Promise<T>;
  /** Whether a verification that only shoppers requested is still wanted in its turn. */
  isWanted: (reference: string) => boolean;
  wait: Wait;
  /** Drops what is queued, now and later. */
  stopping: AbortSignal;
};

/** Creates a queue of verifications, one per reference, that starts them as the budget allows. */
export function createQueue<T, Known>(options: QueueOptions<T, Known>) {
  const { budget, run, isWanted, wait, stopping } = options;
  const { add, has, size, next, dropAll } = createEntries<T, Known>();
  let inFlight = 0;
  /** The draws until the budget is short, and the pause that follows. */
  let round: Promise<undefined> | undefined;

  const startable = (): number => Math.min(size(), maxInFlight - inFlight);
  const startNext = (): void => {
    let queued = next();
    while (queued && !queued.isRequired && !isWanted(queued.reference)) queued = next();
    if (queued === undefined) return;
    inFlight++;
    const work = run(queued.reference, queued.isNamedByCallback, queued.known).finally(() => {
      inFlight--;
      startAll();
    });
    // Nobody may be waiting for it any more.
    work.catch(() => {});
    queued.begin(work);
  };
  const pause = async (ms: number): Promise<void> => {
    await wait(ms, stopping, true).catch(() => {});
    round = undefined;
    startAll();
  };
  const draw = async (): Promise<undefined> => {
    let pauseMs = 0;
    try {
      // Requests of the same moment share a draw.
      await Promise.resolve();
      while (pauseMs === 0 && startable() > 0) {
        const { granted, retryAfterMs } = await budget.take(startable());
        for (let started = 0; started < granted; started++) startNext();
        pauseMs = retryAfterMs;
      }
    } catch (error) {
      // The store has failed. The waiting requests may try again.
      dropAll(error);
    }
    if (pauseMs > 0) pause(pauseMs);
    else round = undefined;
  };
  /** Starts what the budget allows, now and later. Resolves when nothing more can start now. */
  const startAll = (): Promise<undefined> => {
    if (stopping.aborted) dropAll(stopping.reason);
    round ??= draw();
    return round;
  };
  whenAborted(stopping, startAll);
  return { add, has, startAll };
}

/** Creates the entries of a queue. Payments that callbacks name come first, with a quarter left to the others. */
function createEntries<T, Known>() {
  const all = new Map<string, Queued<T, Known>>();
  const [named, others] = [createFairQueue(), createFairQueue()];
  let calls = 0;

  const remove = (reference: string): Queued<T, Known> | undefined => {
    const queued = all.get(reference);
    all.delete(reference);
    for (const queue of [named, others]) queue.remove(reference);
    return queued;
  };
  return {
    /** Adds a verification, or joins a queued one. One that a callback names goes to the front part of the queue. */
    add(reference: string, cause: Cause, { client, known: newer }: Caller<Known> = {}): Queued<T, Known> {
      const known = all.get(reference);
      const queued = known ?? createQueued<T, Known>(reference);
      const isMoved = cause === 'callback' && !queued.isNamedByCallback;
      queued.isNamedByCallback ||= isMoved;
      queued.isRequired ||= cause !== 'waiting';
      queued.client ??= client;
      queued.known = newer ?? queued.known;
      if (known === undefined || isMoved) {
        remove(reference);
        all.set(reference, queued);
        (isMoved ? named : others).put(reference, queued.client);
      }
      return queued;
    },
    next(): Queued<T, Known> | undefined {
      const isNamedNext = others.size() === 0 || (named.size() > 0 && ++calls % turns !== 0);
      return remove((isNamedNext ? named : others).next() ?? '');
    },
    dropAll(reason: unknown): void {
      for (const queued of [...all.values()]) remove(queued.reference)?.drop(reason);
    },
    has: (reference: string): boolean => all.has(reference),
    size: (): number => all.size,
  };
}

function createQueued<T, Known>(reference: string): Queued<T, Known> {
  const ends: Pick<Queued<T, Known>, 'begin' | 'drop'> = { begin: () => {}, drop: () => {} };
  const begun = new Promise<{ work: Promise<T> }>((resolve, reject) => {
    ends.begin = (work) => resolve({ work });
    ends.drop = reject;
  });
  begun.catch(() => {});
  const nothing = { client: undefined, known: undefined, isNamedByCallback: false, isRequired: false };
  return { reference, ...nothing, begun, ...ends };
}
