import type { Client } from '../fairness/fair-queue.ts';
import type { StoredRecord } from '../ports/store.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { Budget } from './budget.ts';
import { type Cause, createQueue, type QueueOptions } from './queue.ts';
import { isLimited } from './slow-down.ts';
import { createSpacing, forgottenMs, type Pace, type SpacingOptions } from './spacing.ts';

/** What the caller has just read, so that the verification need not read it. If it is out of date, the write finds out. */
export type Known = {
  stored: StoredRecord;
  /** The claim that ends when the verification is written; `null` for none. */
  claim: number | null;
};

/** What is stored after a verification. */
export type Verified = {
  /** `undefined` for an unknown reference, and for that of a deleted record. */
  stored: StoredRecord | undefined;
  /** Whether it has found money that was not known before. */
  hasMoreMoney: boolean;
  /** Whether the service has said the payment's status. An ignored response is not evidence. */
  isEvidence: boolean;
  /** The claim that has ended with its write; `null` for none. */
  endedClaim: number | null;
  pace: Pace;
};

export type Verifier = ReturnType<typeof createVerifier>;

export type VerifierOptions = SpacingOptions &
  Pick<QueueOptions<Verified, Known>, 'wait' | 'stopping'> & {
    budget: Pick<Budget, 'take' | 'spend'>;
    /** Makes one request to the service, and records its result. An error with a `rate_limited` cause means that it is busy. */
    verifyOnce: (reference: string, known?: Known) => Promise<Verified>;
    counters: Pick<Counters, 'verifications' | 'verificationsFailed'>;
  };

/** Verifies payments within the budget; concurrent callers share one verification per reference. */
export function createVerifier(options: VerifierOptions) {
  const { budget, verifyOnce, counters } = options;
  const spacing = createSpacing(options);
  const running = new Map<string, Promise<Verified>>();
  const run = async (reference: string, isNamedByCallback: boolean, known?: Known): Promise<Verified> => {
    const last = spacing.begin(reference);
    counters.verifications++;
    try {
      const verified = await verifyOnce(reference, known);
      last.pace = verified.pace;
      if (verified.hasMoreMoney) spacing.seeMoney(isNamedByCallback);
      return verified;
    } catch (error) {
      counters.verificationsFailed++;
      // The budget already knows, and a busy service is not an error for a shopper.
      if (!isBusy(error)) last.error = error;
      throw error;
    }
  };
  /** Lets one that runs end, because the request may be about something newer, and starts or joins the next one. */
  const runNext = async (reference: string, isNamed: boolean, known?: Known, signal?: AbortSignal) => {
    await running.get(reference)?.catch(() => {});
    signal?.throwIfAborted();
    const work =
      running.get(reference) ?? run(reference, isNamed, known).finally(() => running.delete(reference));
    running.set(reference, work);
    return work;
  };
  const queue = createQueue<Verified, Known>({ ...options, run: runNext, isWanted: spacing.isWanted });

  return {
    /**
     * Verifies a payment for which a shopper waits, or joins a verification that runs. Returns `undefined` if it is too early for
     * another one, the budget is used up, or the service is busy: then read the store; the verification is made in its turn.
     *
     * @param client whose shopper waits: while the budget is used up, clients take turns
     * @throws the error of the verification; until the next one is due, that of the last one
     */
    async verify(reference: string, client?: Client, known?: Known): Promise<Verified | undefined> {
      const last = spacing.ask(reference, client);
      let work = running.get(reference);
      if (work === undefined && spacing.msLeft(last) === 0) {
        const { begun, drawn } = queue.add(reference, 'waiting', known, client);
        // If it never starts, the store has the payment's status.
        work = (await Promise.race([begun, drawn]).catch(() => undefined))?.work;
      }
      if (work === undefined && last.error !== undefined) throw last.error;
      return work?.catch((error: unknown) => {
        if (!isBusy(error)) throw error;
        return undefined;
      });
    },
    /**
     * Verifies at once, regardless of spacing and budget, for a decision that must not rest on an older result. Nothing starts
     * after the signal has aborted.
     *
     * @throws the error of the verification; the signal's reason
     */
    verifyNow(reference: string, signal: AbortSignal): Promise<Verified> {
      budget.spend();
      return runNext(reference, false, undefined, signal);
    },
    /**
     * Queues a verification for which no shopper waits; it starts, regardless of spacing, when the budget has a permit. Resolves
     * when it starts, and rejects if it never will. May be left unhandled, like the `work`.
     */
    verifyQueued: (reference: string, cause: Exclude<Cause, 'waiting'>, known?: Known) =>
      queue.add(reference, cause, known).begun,
    /**
     * Returns when a shopper who waits for the payment should call `verify` or this again, in milliseconds: before the shopper
     * counts as gone. 0 if a verification is due.
     */
    msUntilDue(reference: string): number {
      const dueMs = spacing.msLeft(spacing.ask(reference));
      const askAgainMs = forgottenMs / 2;
      return queue.has(reference) ? askAgainMs : Math.min(dueMs, askAgainMs);
    },
    /** Returns the error of the last verification; `undefined` if it has not failed. */
    errorOf: spacing.errorOf,
    /** Whether callbacks usually arrive before the verification that finds the money. */
    doCallbacksArrive: spacing.doCallbacksArrive,
  };
}

/** Whether a verification has failed because the service has responded 429. */
const isBusy = (error: unknown): boolean => error instanceof Error && isLimited(error.cause);
