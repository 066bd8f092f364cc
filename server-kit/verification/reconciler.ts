import type { PaymentsClient } from '../client/client.ts';
import { mayBeOpening } from '../payments/follow-up.ts';
import { isOpened } from '../payments/payment-view.ts';
import type { Recorder } from '../payments/recorder.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { DuePayment, Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Budget } from './budget/budget.ts';
import type { Verifier } from './verifier.ts';

/** The result of one run. */
export type ReconcileCounts = {
  /** Payments that were due. */
  due: number;
  /** Verifications that failed; they are repeated later. */
  failed: number;
  /** Whether more payments may be due. */
  hasMore: boolean;
};

/** A run whose verifications have all started. */
export type ReconcileRun = {
  /** Whether more payments may be due. */
  hasMore: boolean;
  /** Resolves when all verifications have ended. Never rejects. */
  ended: Promise<ReconcileCounts>;
};

/** Verifies payments for which no shopper waits, or that a callback has named. */
export type Reconciler = {
  /**
   * Claims some payments that are due, or with `isWoken` some that callbacks have named, and verifies each as the budget
   * allows. Other instances claim others. Resolves when all verifications have started: one that hangs holds up no other,
   * and the next run may start before this one has ended.
   */
  begin: (options?: { isWoken?: boolean }) => Promise<ReconcileRun>;
};

export type ReconcilerOptions = {
  payments: Pick<PaymentsClient, 'serviceNow'>;
  store: Store;
  recorder: Recorder;
  verifier: Verifier;
  budget: Budget;
  log: Log;
};

const mostClaimed = 20;

/** Few enough to start within the lease, even if shoppers and callbacks leave only a sixteenth of the budget. */
const claimedSecondsOfBudget = 2;

/** Longer than a verification with its retry and its wait for the budget. After a crash, others can claim the payment. */
const leaseMs = 60_000;

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const limitNow = (isWoken: boolean): number => {
    const rate = options.budget.ratePerSecond() ?? mostClaimed;
    return isWoken ? mostClaimed : Math.min(mostClaimed, Math.ceil(rate * claimedSecondsOfBudget));
  };
  return {
    async begin({ isWoken = false } = {}) {
      const limit = limitNow(isWoken);
      const due = await options.store.claimDue({ limit, leaseMs, isWoken });
      const checks = due.map((payment) => beginCheck(options, payment));
      await allBegun(options, due, checks);
      const hasMore = due.length === limit;
      const count = async (): Promise<ReconcileCounts> => {
        const failures = (await Promise.all(checks.map(({ ended }) => ended))).filter(isFailure);
        // Only one of them: when the service is down, all are the same.
        if (failures[0] !== undefined) options.log({ type: 'verificationFailed', ...failures[0] });
        return { due: due.length, failed: failures.length, hasMore };
      };
      return { hasMore, ended: count() };
    },
  };
}

type Failure = { reference: string; error: unknown };
type Check = { started: Promise<void>; ended: Promise<Failure | undefined> };

const isFailure = (failure: Failure | undefined): failure is Failure => failure !== undefined;

function beginCheck(options: ReconcilerOptions, payment: DuePayment): Check {
  const { record, claim } = payment;
  const { reference } = record;
  const failed = (error: unknown): Failure => ({ reference, error });
  if (record.outcome === 'pending' && !isOpened(record)) {
    const ended = closeUnopened(options, payment).then(() => undefined, failed);
    return { started: Promise.resolve(), ended };
  }
  const { started, ended } = options.verifier.verifyQueued(reference, claim === null ? 'due' : 'callback');
  const checked = started.then(() => recordCheck(options, payment, ended));
  return { started, ended: checked.then(() => undefined, failed) };
}

/** Waits until all have started. If one never will, releases it to other instances at once, and throws its reason. */
async function allBegun(
  { store }: ReconcilerOptions,
  due: readonly DuePayment[],
  checks: readonly Check[],
): Promise<void> {
  const starts = await Promise.allSettled(checks.map(({ started }) => started));
  const lost = starts.flatMap((start, index) => (start.status === 'rejected' ? (due[index] ?? []) : []));
  await Promise.allSettled(lost.map(({ record }) => store.wake(record.reference)));
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
}

/**
 * Closes a payment that a crash left behind: its account was never shown, so nobody can have paid into it. A payment that a
 * callback has named may be newer than that, because a callback can arrive before the response with the account. It stays
 * due until it is opened or closed.
 */
async function closeUnopened(
  { recorder, payments }: ReconcilerOptions,
  { record, claim }: DuePayment,
): Promise<void> {
  const isWaitedFor = claim !== null && mayBeOpening(record, payments.serviceNow());
  if (!isWaitedFor) await recorder.replace(record);
  if (claim !== null) await recorder.rescheduleFailed(record, undefined, claim);
}

async function recordCheck(
  { recorder }: ReconcilerOptions,
  { record, claim }: DuePayment,
  verification: Promise<PaymentRecord | undefined>,
): Promise<void> {
  try {
    const verified = await verification;
    // Only this verification ends the claim, whatever else is written meanwhile.
    if (verified !== undefined && claim !== null) await recorder.reschedule(verified, claim);
    // A verification that changed something has already scheduled the next one.
    else if (verified?.version === record.version) await recorder.reschedule(verified);
  } catch (error) {
    await recorder.rescheduleFailed(record, error, claim);
    throw error;
  }
}
