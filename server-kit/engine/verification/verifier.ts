import type { Wait } from '../../core/time.ts';
import type { StoredRecord } from '../store.ts';
import { remainingMs, whenAborted } from '../wait.ts';
import { isLimited, type Permits } from './bucket.ts';

/** What the caller has just read, so that the verification need not read it. If it is out of date, the write finds out. */
export type Known = {
  stored: StoredRecord;
  /** The claim that ends when the verification is written; `null` for none. */
  claim: number | null;
};

/** Why a payment is verified often or seldom: it waits for money, is settled, or is missing at the service. */
export type Pace = 'waiting' | 'settled' | 'missing';

/** What is stored after a verification. */
export type Verified = {
  /** `undefined` for an unknown reference, and for that of a deleted record. */
  stored: StoredRecord | undefined;
  /** Whether the service has said the payment's status. An ignored response is not evidence. */
  isEvidence: boolean;
  /** The claim that has ended with its write; `null` for none. */
  endedClaim: number | null;
  pace: Pace;
};

export type Verifier = ReturnType<typeof createVerifier>;

/** A settled payment may still be reversed; one that the service does not know rarely comes back. */
const leastMs = { waiting: 0, settled: 60_000, missing: 15_000 };

/** How many from the queue run at once on this instance. Decisions on an account are not limited. */
export const maxInFlight = 64;

/** A verification is forgotten after this time. */
const forgottenMs = 60_000;

/** How long a caller whose verification is queued may wait before asking again. */
const queuedMs = 30_000;

type Started = { work: Promise<Verified> };

/** A verification in the queue, for all who request it. */
type Entry = {
  known: Known | undefined;
  /** Whether only shoppers wait for it. */
  isForShopper: boolean;
  begun: Promise<Started>;
  begin: (started: Started) => void;
  drop: (reason: unknown) => void;
};

type Last = { at: number; pace: Pace; error?: unknown };

type Parts = {
  permits: Pick<Permits, 'take' | 'spend'>;
  /** Makes one request to the service, and records its result. An error with a `rate_limited` cause means that it is busy. */
  verifyOnce: (reference: string, known?: Known) => Promise<Verified>;
  /** The minimum time between two verifications of one payment. */
  verificationIntervalMs: number;
  now: () => number;
  wait: Wait;
  /** Drops what is queued, now and later. */
  stopping: AbortSignal;
};

/**
 * Verifies payments as the permits allow, those that callbacks name first. Callers share one verification per reference at a time, and
 * shoppers wait for the minimum interval.
 */
export function createVerifier({ verifyOnce, verificationIntervalMs, now, ...parts }: Parts) {
  const last = new Map<string, Last>();
  const running = new Map<string, Promise<Verified>>();
  let forgotAt = now();
  const msLeft = (reference: string): number => {
    const { at, pace } = last.get(reference) ?? { at: -Infinity, pace: 'waiting' };
    return remainingMs(at, Math.max(verificationIntervalMs, leastMs[pace]), now());
  };
  const forget = (): void => {
    if (remainingMs(forgotAt, forgottenMs, now()) > 0) return;
    forgotAt = now();
    for (const [reference, { at }] of last)
      if (remainingMs(at, forgottenMs, now()) === 0) last.delete(reference);
  };
  const run = async (reference: string, known?: Known): Promise<Verified> => {
    forget();
    const started: Last = { at: now(), pace: 'waiting' };
    last.set(reference, started);
    try {
      const verified = await verifyOnce(reference, known);
      started.pace = verified.pace;
      return verified;
    } catch (error) {
      // A busy service is not an error for a shopper.
      if (!isBusy(error)) started.error = error;
      throw error;
    }
  };
  /** Lets one that runs end, because the request may be about something newer, and starts or joins the next one. */
  const runNext = async (reference: string, known?: Known, signal?: AbortSignal): Promise<Verified> => {
    await running.get(reference)?.catch(() => {});
    signal?.throwIfAborted();
    const work = running.get(reference) ?? run(reference, known).finally(() => running.delete(reference));
    running.set(reference, work);
    return work;
  };
  const queue = createQueue({ ...parts, runNext, msLeft });

  return {
    /**
     * Verifies a payment for which a shopper waits, or joins a verification that runs. Returns `undefined` if it is too early for
     * another one, there is no permit, or the service is busy: then read the store; the verification is made in its turn.
     *
     * @throws the error of the verification; until the next one is due, that of the last one
     */
    async verify(reference: string, known?: Known): Promise<Verified | undefined> {
      let work = running.get(reference);
      if (work === undefined && msLeft(reference) === 0) {
        const { begun } = queue.add(reference, 'waiting', known);
        // If it has not started by now, it waits for a permit.
        work = (await Promise.race([begun, undefined]).catch(() => undefined))?.work;
      }
      const error = last.get(reference)?.error;
      if (work === undefined && error !== undefined) throw error;
      return work?.catch((cause: unknown) => {
        if (!isBusy(cause)) throw cause;
        return undefined;
      });
    },
    /**
     * Verifies at once, regardless of interval and permits, for a decision that must not rest on an older result. Nothing starts after
     * the signal has aborted.
     *
     * @throws the error of the verification; the signal's reason
     */
    verifyNow(reference: string, signal: AbortSignal): Promise<Verified> {
      parts.permits.spend();
      return runNext(reference, undefined, signal);
    },
    /**
     * Queues a verification for which no shopper waits; it starts, regardless of the interval, when there is a permit. Resolves when it
     * starts, and rejects if it never will. May be left unhandled, like the `work`.
     */
    verifyQueued: (reference: string, cause: 'callback' | 'due', known?: Known): Promise<Started> =>
      queue.add(reference, cause, known).begun,
    /** Returns when a shopper who waits for the payment should call `verify` or this again, in milliseconds; 0 if a verification is due. */
    msUntilDue: (reference: string): number =>
      queue.has(reference) ? queuedMs : Math.min(msLeft(reference), queuedMs),
    /** Returns the error of the last verification; `undefined` if it has not failed. */
    errorOf: (reference: string): unknown => last.get(reference)?.error,
  };
}

type Queue = Pick<Parts, 'permits' | 'wait' | 'stopping'> & {
  runNext: (reference: string, known?: Known) => Promise<Verified>;
  msLeft: (reference: string) => number;
};

/** Creates the queue of what waits for a permit: what callbacks name comes first. */
function createQueue({ permits, runNext, msLeft, wait, stopping }: Queue) {
  const [named, others] = [new Map<string, Entry>(), new Map<string, Entry>()];
  let inFlight = 0;
  let isPausing = false;
  const next = (): [string, Entry] | undefined => {
    const queue = named.size > 0 ? named : others;
    for (const [reference, entry] of queue) {
      queue.delete(reference);
      // A decision may have made it.
      if (!entry.isForShopper || msLeft(reference) === 0) return [reference, entry];
      entry.drop(new Error('It is too early for another verification.'));
    }
    return undefined;
  };
  const pause = (ms: number): void => {
    isPausing = true;
    const goOn = (): void => {
      isPausing = false;
      startAll();
    };
    wait(ms, stopping, true).then(goOn, goOn);
  };
  const startAll = (): void => {
    while (named.size + others.size > 0 && !isPausing) {
      if (stopping.aborted) return dropAll();
      if (inFlight >= maxInFlight) return;
      const afterMs = permits.take();
      if (afterMs > 0) return pause(afterMs);
      const [reference, entry] = next() ?? [];
      if (reference === undefined || entry === undefined) return;
      inFlight++;
      const work = runNext(reference, entry.known).finally(() => {
        inFlight--;
        startAll();
      });
      // Nobody may be waiting for it by now.
      work.catch(() => {});
      entry.begin({ work });
    }
  };
  const dropAll = (): void => {
    for (const { drop } of [...named.values(), ...others.values()]) drop(stopping.reason);
    named.clear();
    others.clear();
  };
  whenAborted(stopping, dropAll);
  return {
    has: (reference: string): boolean => named.has(reference) || others.has(reference),
    add(reference: string, cause: 'callback' | 'due' | 'waiting', known?: Known): Entry {
      const entry = named.get(reference) ?? others.get(reference) ?? createEntry();
      entry.known = known;
      if (cause !== 'waiting') entry.isForShopper = false;
      if (cause === 'callback') others.delete(reference);
      if (!named.has(reference)) (cause === 'callback' ? named : others).set(reference, entry);
      startAll();
      if (stopping.aborted) dropAll();
      return entry;
    },
  };
}

function createEntry(): Entry {
  const entry: Partial<Entry> = { known: undefined, isForShopper: true };
  entry.begun = new Promise((begin, drop) => Object.assign(entry, { begin, drop }));
  entry.begun.catch(() => {});
  return entry as Entry;
}

/** Whether a verification has failed because the service has responded 429. */
const isBusy = (error: unknown): boolean => error instanceof Error && isLimited(error.cause);
