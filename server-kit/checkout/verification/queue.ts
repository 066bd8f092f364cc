import { type Wait, whenAborted } from '../../client/async/wait.ts';
import { type Client, createFairQueue } from '../fairness/fair-queue.ts';
import type { Budget } from './budget.ts';

/** A callback has named the payment, a shopper waits for it, or it is verified from time to time. */
export type Cause = 'callback' | 'waiting' | 'due';

/** Every fourth start goes to payments that no callback has named: callbacks may be late or lost. */
const turns = 4;

/** How many from the queue run at once on this instance. Decisions on an account are not limited. */
export const maxInFlight = 64;

/** A verification in the queue, for all who request it. */
type Entry<T, Known> = {
  reference: string;
  cause: Cause;
  /** Whose shopper waits: while the budget is used up, clients take turns. */
  client: Client;
  /** What the caller has read. The last request counts. */
  known: Known | undefined;
  begin: (started: { work: Promise<T> }) => void;
  drop: (reason: unknown) => void;
  begun: Promise<{ work: Promise<T> }>;
};

export type QueueOptions<T, Known> = {
  budget: Pick<Budget, 'take'>;
  run: (reference: string, isNamedByCallback: boolean, known: Known | undefined) => Promise<T>;
  /** Whether a verification that only shoppers requested is still wanted in its turn. */
  isWanted: (reference: string) => boolean;
  wait: Wait;
  /** Drops what is queued, now and later. */
  stopping: AbortSignal;
};

/**
 * Creates a queue of verifications, one per reference, that starts them as the budget allows. Payments that callbacks name come first,
 * with a quarter left to the others.
 */
export function createQueue<T, Known = undefined>(options: QueueOptions<T, Known>) {
  const { budget, run, isWanted, wait, stopping } = options;
  const entries = new Map<string, Entry<T, Known>>();
  const [named, others] = [createFairQueue<Entry<T, Known>>(), createFairQueue<Entry<T, Known>>()];
  let starts = 0;
  let inFlight = 0;
  /** The draws until the budget is short, and the pause that follows. */
  let round: Promise<undefined> | undefined;

  const next = (): Entry<T, Known> | undefined => {
    const isNamedNext = others.size() === 0 || (named.size() > 0 && ++starts % turns !== 0);
    const entry = (isNamedNext ? named : others).next();
    if (entry !== undefined) entries.delete(entry.reference);
    return entry;
  };
  const dropAll = (reason: unknown): void => {
    for (let entry = next(); entry !== undefined; entry = next()) entry.drop(reason);
  };
  const startNext = (): void => {
    let entry = next();
    while (entry?.cause === 'waiting' && !isWanted(entry.reference)) entry = next();
    if (entry === undefined) return;
    inFlight++;
    const work = run(entry.reference, entry.cause === 'callback', entry.known).finally(() => {
      inFlight--;
      startAll();
    });
    // Nobody may be waiting for it by now.
    work.catch(() => {});
    entry.begin({ work });
  };
  const startable = (): number => Math.min(entries.size, maxInFlight - inFlight);
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
    const goOn = (): void => {
      round = undefined;
      startAll();
    };
    if (pauseMs > 0) wait(pauseMs, stopping, true).then(goOn, goOn);
    else round = undefined;
  };
  const startAll = (): Promise<undefined> => {
    if (stopping.aborted) dropAll(stopping.reason);
    round ??= draw();
    return round;
  };
  whenAborted(stopping, startAll);
  return {
    has: (reference: string): boolean => entries.has(reference),
    /**
     * Adds a verification, or joins a queued one. `begun` resolves when it starts, and rejects if it never will; `drawn` resolves when
     * nothing more can start now. Both may be left unhandled.
     */
    add(reference: string, cause: Cause, known?: Known, client?: Client) {
      const entry = entries.get(reference) ?? createEntry<T, Known>(reference, cause, client);
      entries.set(reference, entry);
      entry.known = known;
      if (entry.cause === 'waiting' || cause === 'callback') entry.cause = cause;
      if (entry.cause === 'callback') others.remove(entry);
      (entry.cause === 'callback' ? named : others).put(entry, entry.client);
      return { begun: entry.begun, drawn: startAll() };
    },
  };
}

function createEntry<T, Known>(reference: string, cause: Cause, client: Client): Entry<T, Known> {
  const entry: Partial<Entry<T, Known>> = { reference, cause, client };
  entry.begun = new Promise((begin, drop) => Object.assign(entry, { begin, drop }));
  entry.begun.catch(() => {});
  return entry as Entry<T, Known>;
}
