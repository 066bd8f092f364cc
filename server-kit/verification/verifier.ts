import { createSingleFlight } from '../async/single-flight.ts';
import type { Wait } from '../async/wait.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import { isSettled } from '../payments/outcome.ts';
import { isOpened } from '../payments/payment-view.ts';
import { isClosedUnseen } from '../payments/unmatched-payment.ts';
import type { PaymentRecord } from '../stores/store.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { Budget } from './budget/budget.ts';
import type { Verification } from './budget/entry.ts';
import { createLastVerifications } from './budget/last-verifications.ts';
import type { Priority } from './budget/lines.ts';
import { createVerificationQueue } from './budget/queue.ts';
import { createSpacing } from './budget/spacing.ts';
import { type VerifyOptions, verifyAndMerge } from './verify-payment.ts';

/** Looks payments up at the service, once for all who ask. */
export type Verifier = {
  /**
   * The record of a reference after a look at the service. At most one look a reference is under way, and looks are
   * spaced: asked too early, it gives what the last look gave, be it an error. Where the verification budget is used up,
   * or the service says 429, it gives what is recorded, and the look is made when its turn has come.
   *
   * @throws {CheckoutError} `service_unavailable`, `service_rejected` or `internal_error` when the look failed
   */
  verify: (reference: string) => Promise<PaymentRecord | undefined>;
  /**
   * The same, but with a look that begins now, spaced or not, whatever the budget: for what must not be decided on what was
   * true before. Once the signal has aborted nothing begins any more.
   *
   * @throws also the signal's reason
   */
  verifyNow: (reference: string, signal: AbortSignal) => Promise<PaymentRecord | undefined>;
  /** The same for nobody in person: a look that begins from now on, spaced or not, when the budget has a permit for it. */
  verifyQueued: (reference: string, priority: 'callback' | 'due') => Verification<PaymentRecord | undefined>;
  /** How long until the next look is due, in milliseconds; 0 when it is, and infinite where one waits for its turn. */
  msUntilDue: (reference: string) => number;
};

export type VerifierOptions = VerifyOptions & {
  now: () => number;
  /** The least time between the starts of two looks at one payment. */
  verificationIntervalMs: number;
  /** Looks, and those that fail, are counted here. */
  counters: Counters;
  budget: Budget;
  wait: Wait;
  /** From 0 up to, not including, 1. */
  random: () => number;
  /** Ends the waiting of those that nobody waits for in person. */
  stopping: AbortSignal;
};

/** For whom a look is made; without a priority it decides on an account. */
type Turn = { priority?: Priority; signal?: AbortSignal };

/** A look that has to wait for its turn is not made for a shopper who has not asked for so long. */
const forgottenMs = 30_000;

/** What is settled may still be reversed. */
const settledIntervalMs = 60_000;

export function createVerifier(options: VerifierOptions): Verifier {
  const { store, now, counters } = options;
  const { share, untilIdle } = createSingleFlight<PaymentRecord | undefined>();
  const spacing = createSpacing(options);
  const queue = createVerificationQueue<PaymentRecord | undefined>({
    ...options,
    verify: (reference, priority) => verifyInTurn(reference, { priority }),
    isWanted: (reference, askedAtMs) =>
      lasts.msUntilDue(reference) === 0 && Math.abs(now() - askedAtMs) <= forgottenMs,
  });
  const lasts = createLastVerifications({ ...options, settledIntervalMs, spacing, countQueued: queue.size });

  const verifyOnce = async (
    reference: string,
    { priority, signal }: Turn,
  ): Promise<PaymentRecord | undefined> => {
    const record = await store.findByReference(reference);
    signal?.throwIfAborted();
    if (record === undefined || (!isOpened(record) && !isClosedUnseen(record))) return record;
    const last = lasts.begin(reference);
    counters.verifications++;
    try {
      const verified = await verifyAndMerge(options, record);
      if (chargedAmountOf(verified) > chargedAmountOf(record)) spacing.seeMoney(priority === 'callback');
      last.intervalMs = isSettled(verified) ? settledIntervalMs : spacing.intervalMs(lasts.countWaiting());
      options.recorder.tell(verified);
      return verified;
    } catch (error) {
      counters.verificationsFailed++;
      // The budget has heard of it. A service that is asked too much at times is no news for a shopper.
      if (priority === 'waiting' && isLimited(error)) return record;
      last.error = error;
      throw error;
    }
  };
  const verifyInTurn = async (reference: string, turn: Turn): Promise<PaymentRecord | undefined> => {
    await untilIdle(reference);
    turn.signal?.throwIfAborted();
    return share(reference, () => verifyOnce(reference, turn));
  };

  return {
    msUntilDue: (reference) =>
      queue.isQueued(reference) ? Number.POSITIVE_INFINITY : lasts.msUntilDue(reference),
    async verify(reference) {
      if (queue.isQueued(reference) || lasts.msUntilDue(reference) === 0) {
        const { drawn, ended } = queue.add(reference, 'waiting');
        return (await drawn) === 'started' ? ended : store.findByReference(reference);
      }
      await untilIdle(reference);
      const error = lasts.errorOf(reference);
      if (error !== undefined) throw error;
      return store.findByReference(reference);
    },
    verifyNow(reference, signal) {
      queue.startAtOnce();
      return verifyInTurn(reference, { signal });
    },
    verifyQueued: queue.add,
  };
}

const isLimited = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof PaymentsError && error.cause.code === 'rate_limited';

const chargedAmountOf = ({ observed }: PaymentRecord): number => observed?.chargedAmount ?? 0;
