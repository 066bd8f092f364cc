import { PaymentsError } from '../../client/errors/payments-error.ts';
import type { Client } from '../fairness/client.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { Budget } from './budget.ts';
import { type Cause, createQueue, type QueueOptions } from './queue.ts';
import { createSpacing, forgottenMs, type Pace, type Spacing, type SpacingOptions } from './spacing.ts';

export type Verifier<T, Known = never> = ReturnType<typeof createVerifier<T, Known>>;

/** The result of one verification. `hasMoreMoney`: whether it has found money that was not known before. */
export type VerifyOnceResult<T> = { value: T; hasMoreMoney: boolean; pace: Pace };

export type VerifierOptions<T, Known> = SpacingOptions &
  Pick<QueueOptions<T, Known>, 'wait' | 'stopping'> & {
    budget: Budget;
    /** Makes one request to the service, and records its result. An error with a `rate_limited` cause means that it is busy. */
    verifyOnce: (reference: string, known: Known | undefined) => Promise<VerifyOnceResult<T>>;
    counters: Pick<Counters, 'verifications' | 'verificationsFailed'>;
  };

/** Verifies payments within the budget; concurrent callers share one verification per reference. */
export function createVerifier<T, Known = never>(options: VerifierOptions<T, Known>) {
  const { budget } = options;
  const spacing = createSpacing(options);
  const { running, runNext } = createRuns(options, spacing);
  const queue = createQueue<T, Known>({
    ...options,
    run: runNext,
    isWanted: (reference) => spacing.isAwaited(reference) && spacing.msUntilDue(reference) === 0,
  });
  const runInTurn = async (reference: string, client: Client, known?: Known): Promise<T | undefined> => {
    const { begun } = queue.add(reference, 'waiting', { client, known });
    // If it never starts, the store says how the payment stands.
    return (await Promise.race([begun, queue.startAll()]).catch(() => undefined))?.work;
  };

  return {
    /**
     * Verifies a payment for which a shopper waits, or joins a verification that runs. Returns `undefined` if it is too early for
     * another one, the budget is used up, or the service is busy: then read the store; the verification is made in its turn.
     *
     * @param client whose shopper waits: while the budget is used up, clients take turns
     * @param known what the caller has just read of the payment
     * @throws the error of the verification; until the next one is due, that of the last one
     */
    async verify(reference: string, client?: Client, known?: Known): Promise<T | undefined> {
      spacing.ask(reference, client);
      const isDue = spacing.msUntilDue(reference) === 0;
      const work = running.get(reference) ?? (isDue ? runInTurn(reference, client, known) : undefined);
      const error = spacing.errorOf(reference);
      if (work === undefined && error !== undefined) throw error;
      return work?.catch(undefinedIfLimited);
    },
    /**
     * Verifies at once, regardless of spacing and budget, for a decision that must not rest on an older result. Nothing starts
     * after the signal has aborted.
     *
     * @throws the error of the verification; the signal's reason
     */
    verifyNow(reference: string, signal: AbortSignal): Promise<T> {
      budget.spend();
      return runNext(reference, false, undefined, signal);
    },
    /**
     * Queues a verification for which no shopper waits; it starts, regardless of spacing, when the budget has a permit. `started`
     * rejects if it never will. Both promises may be left unhandled.
     */
    verifyQueued(reference: string, cause: Exclude<Cause, 'waiting'>, known?: Known) {
      const { begun } = queue.add(reference, cause, { known });
      queue.startAll();
      const [started, ended] = [begun.then(() => {}), begun.then(({ work }) => work)];
      for (const promise of [started, ended]) promise.catch(() => {});
      return { started, ended };
    },
    /**
     * Returns when a shopper who waits for the payment should call `verify` or this again, in milliseconds: before the shopper
     * counts as gone. 0 if a verification is due.
     */
    msUntilDue(reference: string): number {
      spacing.ask(reference);
      const askAgainMs = forgottenMs / 2;
      return queue.has(reference) ? askAgainMs : Math.min(spacing.msUntilDue(reference), askAgainMs);
    },
    /** Returns the error of the last verification; `undefined` if it has not failed. */
    errorOf: spacing.errorOf,
    /** Whether callbacks usually arrive before the verification that finds the money. */
    doCallbacksArrive: spacing.doCallbacksArrive,
    /** Returns the share of the ceiling that this instance uses, from 0 to 1. */
    load: budget.load,
  };
}

/** Runs one verification of a reference at a time. */
function createRuns<T, Known>({ verifyOnce, counters }: VerifierOptions<T, Known>, spacing: Spacing) {
  const running = new Map<string, Promise<T>>();

  const run = async (reference: string, isNamedByCallback: boolean, known?: Known): Promise<T> => {
    const last = spacing.begin(reference);
    counters.verifications++;
    try {
      const { value, hasMoreMoney, pace } = await verifyOnce(reference, known);
      last.pace = pace;
      if (hasMoreMoney) spacing.seeMoney(isNamedByCallback);
      return value;
    } catch (error) {
      counters.verificationsFailed++;
      // The budget already knows, and a busy service is not an error for a shopper.
      if (!isLimited(error)) last.error = error;
      throw error;
    } finally {
      running.delete(reference);
    }
  };
  /** Lets one that runs end, because the request may be about something newer, and starts or joins the next one. */
  const runNext = async (
    reference: string,
    isNamed: boolean,
    known?: Known,
    signal?: AbortSignal,
  ): Promise<T> => {
    await running.get(reference)?.catch(() => {});
    signal?.throwIfAborted();
    const work = running.get(reference) ?? run(reference, isNamed, known);
    running.set(reference, work);
    return work;
  };
  return { running, runNext };
}

function undefinedIfLimited(error: unknown): undefined {
  if (!isLimited(error)) throw error;
}

const isLimited = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof PaymentsError && error.cause.code === 'rate_limited';
