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
type Entry<T> = {
  reference: string;
  cause: Cause;
  client: Client;
  run: (isNamedByCallback: boolean) => Promise<T>;
  begin: (started: { work: Promise<T> }) => void;
  drop: (reason: unknown) => void;
  begun: Promise<{ work: Promise<T> }>;
};

export type QueueOptions = {
  budget: Pick<Budget, 'take'>;
  /** Whether a verification that only shoppers requested is still wanted in its turn. */
  isWanted: (reference: string) => boolean;
  wait: Wait;
  /** Drops what is queued, now and later. */
  stopping: AbortSignal;
};

/** Creates a queue of verifications, one per reference, that starts them as the budget allows. */
export function createQueue<T>({ budget, isWanted, wait, stopping }: QueueOptions) {
  const { add, next, has, size } = createEntries<T>();
  let inFlight = 0;
  /** The draws until the budget is short, and the pause that follows. */
  let round: Promise<undefined> | undefined;

  const dropAll = (reason: unknown): void => {
    for (let entry = next(); entry !== undefined; entry = next()) entry.drop(reason);
  };
  const startNext = (): void => {
    let entry = next();
    while (entry?.cause === 'waiting' && !isWanted(entry.reference)) entry = next();
    if (entry === undefined) return;
    inFlight++;
    const work = entry.run(entry.cause === 'callback').finally(() => {
      inFlight--;
      startAll();
    });
    // Nobody may be waiting for it by now.
    work.catch(() => {});
    entry.begin({ work });
  };
  const startable = (): number => Math.min(size(), maxInFlight - inFlight);
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
    has,
    /**
     * Adds a verification, or joins a queued one, which then runs as requested last. `begun` resolves when it starts, and rejects if it
     * never will; `drawn` resolves when nothing more can start now. Both may be left unhandled.
     */
    add: (...added: Parameters<typeof add>) => ({ begun: add(...added).begun, drawn: startAll() }),
  };
}

/** Creates the entries of a queue. Payments that callbacks name come first, with a quarter left to the others. */
function createEntries<T>() {
  const entries = new Map<string, Entry<T>>();
  const [named, others] = [createFairQueue<Entry<T>>(), createFairQueue<Entry<T>>()];
  let starts = 0;
  return {
    add(reference: string, cause: Cause, run: Entry<T>['run'], client?: Client): Entry<T> {
      const entry = entries.get(reference) ?? createEntry<T>({ reference, cause, client, run });
      entries.set(reference, entry);
      entry.run = run;
      if (entry.cause === 'waiting' || cause === 'callback') entry.cause = cause;
      if (entry.cause === 'callback') others.remove(entry);
      (entry.cause === 'callback' ? named : others).put(entry, entry.client);
      return entry;
    },
    next(): Entry<T> | undefined {
      const isNamedNext = others.size() === 0 || (named.size() > 0 && ++starts % turns !== 0);
      const entry = (isNamedNext ? named : others).next();
      if (entry !== undefined) entries.delete(entry.reference);
      return entry;
    },
    has: (reference: string): boolean => entries.has(reference),
    size: (): number => entries.size,
  };
}

function createEntry<T>(added: Omit<Entry<T>, 'begin' | 'drop' | 'begun'>): Entry<T> {
  const entry: Partial<Entry<T>> = added;
  entry.begun = new Promise((begin, drop) => Object.assign(entry, { begin, drop }));
  entry.begun.catch(() => {});
  return entry as Entry<T>;
}
