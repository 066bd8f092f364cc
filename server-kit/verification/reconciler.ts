import type { PaymentsClient } from '../client/client.ts';
import { mayBeOpening } from '../payments/follow-up.ts';
import { isOpened } from '../payments/payment-view.ts';
import type { Recorder } from '../payments/recorder.ts';
import type { DuePayment, PaymentRecord, Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Budget } from './budget/budget.ts';
import type { Verifier } from './verifier.ts';

/** What one run has done. */
export type ReconcileCounts = {
  /** Payments that were due. */
  due: number;
  /** Looks of these that failed; they are made again later. */
  failed: number;
  /** Whether more payments may be due. */
  hasMore: boolean;
};

/** A run whose looks have all begun. */
export type ReconcileRun = {
  /** Whether more payments may be due. */
  hasMore: boolean;
  /** What became of it, when all looks have ended. Never rejects. */
  ended: Promise<ReconcileCounts>;
};

/** Looks up payments for which no shopper waits, or of which a callback has told. */
export type Reconciler = {
  /**
   * Takes some payments that are due, or with `isWoken` some that callbacks have named, and looks each up at the service, as
   * the verification budget allows. Other instances take others. Resolves when all these looks have begun: one that hangs
   * holds up no other, and the next run may begin before this one has ended.
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

/** What is claimed begins within the lease, also where shoppers and callbacks leave it a sixteenth of the budget. */
const claimedSecondsOfBudget = 2;

/** Longer than a look with its retry and its wait for the budget. Whoever crashes leaves the payment to others after it. */
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
        // One of them: when the service is down, all say the same.
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

/** Waits until all have begun. Where one never will, leaves it to others at once, and fails. */
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
 * A crash left it behind: its account was never shown, so that nobody can have paid into it. The next check, which may ask
 * the service, is soon. One that a callback has named may be younger: a callback can come before the response with the
 * account, which somebody is about to record. That one stays due until it is opened or closed.
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
    // What the payment was woken for is answered by this look alone, whatever else is written meanwhile.
    if (verified !== undefined && claim !== null) await recorder.reschedule(verified, claim);
    // A look that has changed something has set the next one.
    else if (verified?.version === record.version) await recorder.reschedule(verified);
  } catch (error) {
    await recorder.rescheduleFailed(record, error, claim);
    throw error;
  }
}
