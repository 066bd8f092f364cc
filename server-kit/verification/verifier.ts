import { CheckoutError } from '../../src/contract/index.ts';
import { createSingleFlight } from '../async/single-flight.ts';
import { remainingMs, type Wait } from '../async/wait.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import type { Client } from '../fairness/client.ts';
import { isNotFound } from '../payments/not-found.ts';
import { isSettled } from '../payments/outcome.ts';
import { isOpened } from '../payments/payment-view.ts';
import { isClosedUnseen } from '../payments/unmatched-payment.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { Budget } from './budget/budget.ts';
import type { Requested, Verification } from './budget/entry.ts';
import { createLastVerifications, type LastVerifications } from './budget/last-verifications.ts';
import { createVerificationQueue } from './budget/queue.ts';
import { createSpacing, type Spacing } from './budget/spacing.ts';
import { type VerifyOptions, verifyAndMerge } from './verify-payment.ts';

/** Verifies payments at the service; concurrent callers share one request per payment. */
export type Verifier = {
  /**
   * Returns the record of a reference after a verification. At most one verification of a reference runs at a time, and they
   * are spaced: a call that comes too early gets the result of the last one, or its error. If the budget is used up, or the
   * service responds 429, it returns the stored record, and the verification is made in its turn.
   *
   * @param client whose shopper waits: while the budget is used up, clients take turns
   * @throws {CheckoutError} `service_unavailable`, `service_rejected` or `internal_error` if the verification failed
   */
  verify: (reference: string, client?: Client) => Promise<PaymentRecord | undefined>;
  /**
   * Verifies at once, regardless of spacing and budget, for a decision that must not rest on an older result. Nothing starts
   * after the signal has aborted.
   *
   * @throws as `verify`; `service_rejected` if the service does not know a live payment, which may hold money all the same;
   *   the signal's reason
   */
  verifyNow: (reference: string, signal: AbortSignal) => Promise<PaymentRecord | undefined>;
  /** Queues a verification for which no shopper waits; it starts, regardless of spacing, when the budget has a permit. */
  verifyQueued: (reference: string, priority: 'callback' | 'due') => Verification<PaymentRecord | undefined>;
  /**
   * Returns the time until the next verification is due, in milliseconds, or until a queued one must be requested again: it is
   * skipped if no shopper seems to wait any more.
   */
  msUntilDue: (reference: string) => number;
};

export type VerifierOptions = VerifyOptions & {
  now: () => number;
  /** The minimum time between the starts of two verifications of a payment. */
  verificationIntervalMs: number;
  counters: Counters;
  budget: Budget;
  wait: Wait;
  /** From 0 up to, not including, 1. */
  random: () => number;
  /** Drops queued verifications for which no shopper waits. */
  stopping: AbortSignal;
};

/** A verification that is not queued decides on an account. */
type Turn = { requested?: Requested; signal?: AbortSignal };

/** A queued verification is skipped if its shopper has not polled for this long. */
const forgottenMs = 30_000;

/** A settled payment may still be reversed. */
const settledIntervalMs = 60_000;

/** A payment that the service does not know rarely comes back. */
const notFoundIntervalMs = 15_000;

export function createVerifier(options: VerifierOptions): Verifier {
  const { store, now } = options;
  const { share, untilIdle } = createSingleFlight<PaymentRecord | undefined>();
  const spacing = createSpacing(options);
  const queue = createVerificationQueue<PaymentRecord | undefined>({
    ...options,
    verify: (reference, requested) => verifyInTurn(reference, { requested }),
    isWanted: (reference, requestedAtMs) =>
      lasts.msUntilDue(reference) === 0 && Math.abs(now() - requestedAtMs) <= forgottenMs,
  });
  const lasts = createLastVerifications({
    ...options,
    settledIntervalMs,
    spacing,
    queued: queue.clients,
  });

  const verifyOnce = createVerifyOnce(options, spacing, lasts);
  const verifyInTurn = async (reference: string, turn: Turn): Promise<PaymentRecord | undefined> => {
    await untilIdle(reference);
    turn.signal?.throwIfAborted();
    return share(reference, () => verifyOnce(reference, turn)).catch((error: unknown) => {
      if (error !== givenUp) throw error;
      return verifyInTurn(reference, turn);
    });
  };
  const storedIfLimited = (reference: string) => (error: unknown) => {
    if (!isLimited(error)) throw error;
    return store.findByReference(reference);
  };

  return {
    msUntilDue(reference) {
      const requestedAtMs = queue.requestedAtMs(reference);
      if (requestedAtMs === undefined) return lasts.msUntilDue(reference);
      return remainingMs(requestedAtMs, forgottenMs / 2, now());
    },
    async verify(reference, client) {
      if (queue.requestedAtMs(reference) !== undefined || lasts.msUntilDue(reference) === 0) {
        const { decided, ended } = queue.add(reference, 'waiting', client);
        const isStarted = (await decided) === 'started';
        return isStarted ? ended.catch(storedIfLimited(reference)) : store.findByReference(reference);
      }
      await untilIdle(reference);
      const error = lasts.errorOf(reference);
      if (error !== undefined) throw error;
      return store.findByReference(reference);
    },
    async verifyNow(reference, signal) {
      queue.startAtOnce();
      const record = await verifyInTurn(reference, { signal });
      if (record?.notFoundSince !== undefined && record.opened?.liveMode !== false) throw unknownToService();
      return record;
    },
    verifyQueued: queue.add,
  };
}

/** Creates a function that verifies a payment, and remembers the verification. */
function createVerifyOnce(options: VerifierOptions, spacing: Spacing, lasts: LastVerifications) {
  const { store, recorder, counters } = options;
  return async (reference: string, { requested, signal }: Turn): Promise<PaymentRecord | undefined> => {
    const record = await store.findByReference(reference);
    if (signal?.aborted) throw givenUp;
    if (record === undefined || (!isOpened(record) && !isClosedUnseen(record))) return record;
    const last = lasts.begin(reference, requested?.client);
    counters.verifications++;
    try {
      const verified = await verifyAndMerge(options, record);
      const hasMore = chargedAmountOf(verified) > chargedAmountOf(record);
      if (hasMore) spacing.seeMoney(requested?.priority === 'callback');
      last.intervalMs = rareIntervalMs(verified) ?? spacing.intervalMs(lasts.waitingOf(last.client));
      recorder.deliverSoon(verified);
      return verified;
    } catch (error) {
      counters.verificationsFailed++;
      // The budget already knows, and a busy service is not an error for a shopper.
      if (!isLimited(error)) last.error = error;
      throw error;
    }
  };
}

/** Returns the verifier for the requests of one client, which take turns with those of the others. */
export const forClient = (verifier: Verifier, client: Client): Verifier => ({
  ...verifier,
  verify: (reference) => verifier.verify(reference, client),
});

/** Returns the time between two verifications of a payment that changes rarely. */
function rareIntervalMs(verified: PaymentRecord): number | undefined {
  if (isSettled(verified)) return settledIntervalMs;
  return isNotFound(verified) ? notFoundIntervalMs : undefined;
}

/** Thrown to all who share a verification whose starter no longer wants it: the others start their own. */
const givenUp = new Error('The verification was given up.');

const unknownToService = (): CheckoutError =>
  new CheckoutError(
    'service_rejected',
    'The payments service does not know the earlier payment of this order; see the server log.',
  );

const isLimited = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof PaymentsError && error.cause.code === 'rate_limited';

const chargedAmountOf = ({ observed }: PaymentRecord): number => observed?.chargedAmount ?? 0;
