import type { Verifier } from '../budget/verifier.ts';
import { nextDue, referencesOf, referencesToVerify, retryPauseMs, type Watched } from '../order/next-due.ts';
import { closeAbandoned } from '../order/next-step.ts';
import type { DueRecord, Store, Stored } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import { idOf, type Records } from './records.ts';
import { isAboutPayment } from './to-checkout-error.ts';
import type { Verified } from './verify-payment.ts';

/** The result of one run. */
export type ReconcileCounts = {
  /** Orders and unmatched payments that were due. */
  due: number;
  /** Those whose verification failed; it is repeated later. */
  failed: number;
  /** Whether more may be due. */
  hasMore: boolean;
};

/** A run whose verifications have all started. */
export type ReconcileRun = {
  hasMore: boolean;
  /** Resolves when all verifications have ended. Never rejects. */
  ended: Promise<ReconcileCounts>;
};

/** Verifies orders for which no shopper waits, or that a callback has named. */
export type Reconciler = {
  /**
   * Claims some orders that are due, or with `isWoken` some that callbacks have named, and verifies each as the budget allows. Other
   * instances claim others. Resolves when all verifications have started: one that hangs holds up no other, and the next run may start
   * before this one has ended.
   */
  begin: (options?: { isWoken?: boolean }) => Promise<ReconcileRun>;
};

export type ReconcilerOptions = {
  store: Store;
  records: Records;
  verifier: Verifier<Verified>;
  ratePerSecond: () => number | undefined;
  log: Log;
};

const mostClaimed = 20;

/** Few enough to start within the lease, even if shoppers and callbacks leave only a sixteenth of the budget. */
const claimedSecondsOfBudget = 2;

/** Longer than a verification with its retry and its wait for the budget. After a crash, others can claim the record. */
const leaseMs = 60_000;

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { store, ratePerSecond } = options;
  const limitNow = (isWoken: boolean): number => {
    const rate = ratePerSecond() ?? mostClaimed;
    return isWoken ? mostClaimed : Math.min(mostClaimed, Math.ceil(rate * claimedSecondsOfBudget));
  };
  return {
    async begin({ isWoken = false } = {}) {
      const limit = limitNow(isWoken);
      const claim = { limit, leaseMs, isWoken };
      const claimed = await Promise.all([store.orders.claimDue(claim), store.unmatched.claimDue(claim)]);
      const checks = claimed.flat().map((due) => beginCheck(options, due));
      await allBegun(options, checks);
      const hasMore = claimed.some(({ length }) => length === limit);
      return { hasMore, ended: countChecks(options, checks, hasMore) };
    },
  };
}

/** Counts the failures, and logs only one of them: when the service is down, all are the same. */
async function countChecks(
  { log }: ReconcilerOptions,
  checks: readonly Check[],
  hasMore: boolean,
): Promise<ReconcileCounts> {
  const failures = (await Promise.all(checks.map(({ ended }) => ended))).flatMap((failure) => failure ?? []);
  if (failures[0] !== undefined) log({ type: 'verificationFailed', ...failures[0] });
  return { due: checks.length, failed: failures.length, hasMore };
}

type Failure = { reference: string; error: unknown };
type Check = { reference: string; started: Promise<unknown>; ended: Promise<Failure | undefined> };

function beginCheck(options: ReconcilerOptions, due: DueRecord<Watched>): Check {
  const { records, verifier } = options;
  const { record, claim, storeNow } = due;
  const priority = claim === null ? 'due' : 'callback';
  const begun = (async () => {
    const closed = await records.update<Watched>(due, (one) =>
      'payments' in one ? closeAbandoned(one, storeNow) : one,
    );
    const stored = closed ?? due;
    const references = referencesToVerify(stored.record);
    return { stored, verifications: references.map((one) => verifier.verifyQueued(one, priority)) };
  })();
  const started = begun.then(({ verifications }) => Promise.all(verifications.map((one) => one.started)));
  const ended = started.then(async () => {
    const { stored, verifications } = await begun;
    await reschedule(options, due, stored, await Promise.allSettled(verifications.map((one) => one.ended)));
  });
  const reference = referencesOf(record).at(-1) ?? idOf(record);
  return {
    reference,
    started,
    ended: ended.then(
      () => undefined,
      (error: unknown) => ({ reference, error }),
    ),
  };
}

/** @throws the failure of a verification, after it has been scheduled again */
async function reschedule(
  { records }: ReconcilerOptions,
  due: DueRecord<Watched>,
  stored: Stored<Watched>,
  results: readonly PromiseSettledResult<Verified>[],
): Promise<void> {
  const { claim, storeNow } = due;
  const facts = records.dueFacts(storeNow);
  const { record, version } = newestOf(stored, results);
  const dueAfterMs = nextDue(record, facts).afterMs;
  const failure = results.find((result) => result.status === 'rejected');
  // Ends only if the watch is over and the service has refused this payment; any other error may pass.
  const isOver = failure !== undefined && dueAfterMs === null && isAboutPayment(failure.reason);
  const isRetried = failure !== undefined && !isOver;
  // A verification that changed something has scheduled the next one; but only its claimant ends a claim.
  if (failure !== undefined || claim !== null || version === due.version) {
    await records.tableOf(record).reschedule({
      ...{ id: idOf(record), version, claim },
      dueAfterMs: isRetried ? retryPauseMs(record, facts.serviceNow) : dueAfterMs,
      // The callback may be about the payment that is being opened.
      isServed: !isRetried && !isOpening(record),
    });
  }
  if (failure !== undefined) throw failure.reason;
}

const isOpening = (record: Watched): boolean =>
  'payments' in record && record.payments.some(({ state }) => state === 'opening');

function newestOf(
  stored: Stored<Watched>,
  results: readonly PromiseSettledResult<Verified>[],
): Stored<Watched> {
  const found = results.flatMap((result) =>
    result.status === 'fulfilled' && result.value.found?.kind !== 'purged' ? (result.value.found ?? []) : [],
  );
  return [stored, ...found].reduce((newest, one) => (one.version > newest.version ? one : newest));
}

/** Waits until all have started. If one never will, releases it to other instances at once, and throws its reason. */
async function allBegun({ store }: ReconcilerOptions, checks: readonly Check[]): Promise<void> {
  const starts = await Promise.allSettled(checks.map(({ started }) => started));
  const lost = checks.filter((_, index) => starts[index]?.status === 'rejected');
  await Promise.allSettled(lost.map(({ reference }) => store.wake(reference)));
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
}
