import { isCheckoutError } from '../../../src/contract/index.ts';
import { PaymentsError } from '../../core/errors.ts';
import { nextDue, referencesToVerify, retryPauseMs } from '../order/next-due.ts';
import { closeAbandoned } from '../order/next-step.ts';
import { type Order, referencesOf } from '../order/record.ts';
import type { DueRecord, Store, Stored } from '../store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Verified, Verifier } from '../verification/verifier.ts';
import { newestOf, type Records } from './records.ts';

/** The result of one run. */
export type ReconcileCounts = {
  /** Orders that were due. */
  due: number;
  /** Those whose verification failed; it is repeated later. */
  failed: number;
  /** Whether more may be due. */
  hasMore: boolean;
};

/** Verifications that have all started. `ended` resolves when all have ended, and never rejects. */
type ReconcileRun = { hasMore: boolean; ended: Promise<ReconcileCounts> };

export type Reconciler = ReturnType<typeof createReconciler>;

type Parts = { store: Store; records: Records; verifier: Verifier; log: Log; stopping: AbortController };

/** Few enough to start within the lease, even at the lowest rate. */
const mostClaimed = 20;

/** Longer than a verification with its retry and its wait for a permit. After a crash, others can claim the record. */
export const leaseMs = 60_000;

/** Creates what verifies orders for which no shopper waits, or that a callback has named. */
export function createReconciler(parts: Parts) {
  const { store, log, stopping } = parts;
  const runs = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    const run = work.finally(() => runs.delete(run));
    runs.add(run);
    return run;
  };
  /** A verification that a stop has ended has not failed. */
  const logFailure = (error: unknown): void => {
    if (!stopping.signal.aborted) log({ type: 'backgroundFailed', error });
  };
  const inBackground = (work: Promise<unknown>): void => void track(work.catch(logFailure));
  /**
   * Verifies claimed records. Resolves when all verifications have started: one that hangs holds up no other. If one never will start, it
   * releases that record to other instances at once, and throws the reason.
   */
  const verify = async (claimed: readonly DueRecord[], hasMore = false): Promise<ReconcileRun> => {
    const checks = claimed.map((due) => beginCheck(parts, due));
    const starts = await Promise.allSettled(checks.map(({ started }) => started));
    const lost = claimed.filter((_, index) => starts[index]?.status === 'rejected');
    await Promise.allSettled(lost.map((due) => release(parts, due)));
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
    return { hasMore, ended: countChecks(parts, checks, hasMore) };
  };
  return {
    /** Verifies what a callback has named and woken for this instance. */
    verifyWoken: (woken: DueRecord): void => inBackground(verify([woken]).then(({ ended }) => ended)),
    track,
    logFailure,
    inBackground,
    /** Resolves when nothing runs that was tracked. */
    async settled(): Promise<void> {
      while (runs.size > 0) await Promise.allSettled(runs);
    },
    /** Claims some records that are due, and verifies them as the permits allow. The next run may start before this one has ended. */
    async begin(): Promise<ReconcileRun> {
      const claimed = await store.claimOrders({ limit: mostClaimed, leaseMs });
      return verify(claimed, claimed.length === mostClaimed);
    },
  };
}

const release = ({ store }: Parts, { record, version, claim }: DueRecord): Promise<void> =>
  store.reschedule({ id: record.orderId, version, claim, dueAfterMs: 0, isServed: false });

/** Counts the failures, and logs only one of them: when the service is down, all are the same. */
async function countChecks(
  { log }: Parts,
  checks: readonly Check[],
  hasMore: boolean,
): Promise<ReconcileCounts> {
  const failures = (await Promise.all(checks.map(({ ended }) => ended))).flatMap((failure) => failure ?? []);
  if (failures[0] !== undefined) log({ type: 'verificationFailed', ...failures[0] });
  return { due: checks.length, failed: failures.length, hasMore };
}

type Failure = { reference: string; error: unknown };
type Check = { started: Promise<unknown>; ended: Promise<Failure | undefined> };

function beginCheck(parts: Parts, due: DueRecord): Check {
  const { records, verifier } = parts;
  const { record, claim, isWoken, storeNow } = due;
  const priority = isWoken ? 'callback' : 'due';
  const reference = referencesOf(record).at(-1) ?? record.orderId;
  const begun = (async () => {
    const closed = await records.update(due, (one) => closeAbandoned(one, storeNow));
    const stored = closed ?? due;
    const known = { stored, claim: isOnePayment(stored.record) ? claim : null };
    const references = referencesToVerify(stored.record);
    return { stored, verifications: references.map((one) => verifier.verifyQueued(one, priority, known)) };
  })();
  const started = begun.then(({ verifications }) => Promise.all(verifications));
  const ended = started.then(async (verifications) => {
    const results = await Promise.allSettled(verifications.map(({ work }) => work));
    return reschedule(parts, due, (await begun).stored, results);
  });
  return { started, ended: ended.catch((error: unknown) => ({ reference, error })) };
}

/** Whether one verification is all that the record needs: then the write of its result ends the claim. */
const isOnePayment = (record: Order): boolean => record.payments.length === 1;

/** Returns the failure of a verification, after it has been scheduled again. */
async function reschedule(
  { store, records }: Parts,
  due: DueRecord,
  stored: Stored<Order>,
  results: readonly PromiseSettledResult<Verified>[],
): Promise<Failure | undefined> {
  const { claim } = due;
  const { record, version, storeNow } = newestOf(stored, results.map(readingOf));
  const facts = records.dueFacts(storeNow);
  const dueAfterMs = nextDue(record, facts).afterMs;
  const references = referencesToVerify(stored.record);
  const [failure] = results.flatMap((result, index) =>
    result.status === 'rejected'
      ? { reference: references[index] ?? record.orderId, error: result.reason }
      : [],
  );
  // Ends only if the watch is over and the service has refused this payment; any other error may pass.
  const isOver = failure !== undefined && dueAfterMs === null && isAboutPayment(failure.error);
  const isRetried = failure !== undefined && !isOver;
  // A verification that changed something has scheduled the next one, and has ended the claim if it had it.
  const isEnded = results.some(
    (result) => result.status === 'fulfilled' && result.value.endedClaim === claim,
  );
  if (failure !== undefined || !isEnded) {
    await store.reschedule({
      id: record.orderId,
      version,
      claim,
      dueAfterMs: isRetried ? retryPauseMs(record, facts.serviceNow) : dueAfterMs,
      // The callback may be about the payment that is being opened.
      isServed: !isRetried && !isOpening(record),
    });
  }
  return failure;
}

const isOpening = (record: Order): boolean => record.payments.some(({ state }) => state === 'opening');

const readingOf = (result: PromiseSettledResult<Verified>): Stored<Order> | undefined =>
  result.status === 'fulfilled' ? result.value.stored : undefined;

/** Whether the service has refused this payment. Rejected credentials and unreadable responses are temporary. */
export function isAboutPayment(error: unknown): boolean {
  if (!isCheckoutError(error) || error.code !== 'service_rejected') return false;
  const { cause } = error;
  if (!(cause instanceof PaymentsError)) return true;
  return cause.code !== 'authentication_failed' && cause.code !== 'invalid_response';
}
