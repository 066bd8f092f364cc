import { nextDue, referencesToVerify, retryPauseMs, type Watched } from '../order/next-due.ts';
import { closeAbandoned } from '../order/next-step.ts';
import type { DueRecord, FoundRecord, Store, Stored } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Records } from './records.ts';
import { isAboutPayment } from './to-checkout-error.ts';
import type { PaymentVerifier, Verified } from './verify-payment.ts';

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
   * Claims some orders that are due, and verifies each as the budget allows. Other instances claim others. Resolves when all
   * verifications have started: one that hangs holds up no other, and the next run may start before this one has ended.
   */
  begin: () => Promise<ReconcileRun>;
  /** Verifies what a callback has named and woken for this instance. Resolves when that has ended; rejects if it never will. */
  verifyWoken: (woken: DueRecord<Watched>) => Promise<void>;
};

export type ReconcilerOptions = {
  store: Store;
  records: Records;
  verifier: PaymentVerifier;
  ratePerSecond: () => number | undefined;
  log: Log;
};

const mostClaimed = 20;

/** Few enough to start within the lease, even if shoppers and callbacks leave only a sixteenth of the budget. */
const claimedSecondsOfBudget = 2;

/** Longer than a verification with its retry and its wait for the budget. After a crash, others can claim the record. */
export const leaseMs = 60_000;

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { store, ratePerSecond } = options;
  const run = async (claimed: readonly DueRecord<Watched>[], hasMore: boolean): Promise<ReconcileRun> => {
    const checks = claimed.map((due) => beginCheck(options, due));
    await allBegun(options, checks);
    return { hasMore, ended: countChecks(options, checks, hasMore) };
  };
  return {
    async begin() {
      const rate = ratePerSecond() ?? mostClaimed;
      const limit = Math.min(mostClaimed, Math.ceil(rate * claimedSecondsOfBudget));
      const [orders, unmatched] = await Promise.all([
        store.orders.claimDue({ limit, leaseMs }),
        store.unmatched.claimDue({ limit, leaseMs }),
      ]);
      return run([...orders, ...unmatched], orders.length === limit || unmatched.length === limit);
    },
    async verifyWoken(woken) {
      await (await run([woken], false)).ended;
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
  const { verifier } = options;
  const { record, claim } = due;
  const begun = closeLeft(options, due).then((stored) => {
    const priority = claim === null ? 'due' : 'callback';
    const known = { found: foundOf(stored), claim: isOnePayment(stored.record) ? claim : null };
    const references = referencesToVerify(stored.record);
    return { stored, verifications: references.map((one) => verifier.verifyQueued(one, priority, known)) };
  });
  const started = begun.then(({ verifications }) => Promise.all(verifications.map((one) => one.started)));
  const ended = started.then(async () => {
    const { stored, verifications } = await begun;
    const results = await Promise.allSettled(verifications.map((one) => one.ended));
    await reschedule(options, { due, stored, results });
  });
  const reference = referenceOf(record);
  const failed = (error: unknown): Failure => ({ reference, error });
  return { reference, started, ended: ended.then(() => undefined, failed) };
}

const foundOf = ({ record, ...stored }: Stored<Watched>): FoundRecord =>
  'payments' in record ? { kind: 'order', record, ...stored } : { kind: 'unmatched', record, ...stored };

/** Whether one verification is all that the record needs: then the write of its result ends the claim. */
const isOnePayment = (record: Watched): boolean =>
  !('payments' in record) || (record.payments.length === 1 && !isOpening(record));

const referenceOf = (record: Watched): string =>
  'payments' in record ? (record.payments.at(-1)?.reference ?? record.orderId) : record.reference;

async function closeLeft({ records }: ReconcilerOptions, due: Stored<Watched>): Promise<Stored<Watched>> {
  const { record, storeNow } = due;
  if (!('payments' in record)) return due;
  const closed = closeAbandoned(record, storeNow);
  return closed === record ? due : ((await records.saveOrder(due, closed)) ?? due);
}

type Checked = {
  due: DueRecord<Watched>;
  stored: Stored<Watched>;
  results: readonly PromiseSettledResult<Verified>[];
};

/** @throws the failure of a verification, after it has been scheduled again */
async function reschedule(
  { store, records }: ReconcilerOptions,
  { due, stored, results }: Checked,
): Promise<void> {
  const { claim } = due;
  const facts = records.dueFacts(due.storeNow);
  const { record, version } = newestOf(stored, results);
  const isOrder = 'payments' in record;
  const [table, id] = isOrder ? [store.orders, record.orderId] : [store.unmatched, record.reference];
  const dueAfterMs = nextDue(record, facts).afterMs;
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    // Ends only if the watch is over and the service has refused this payment; any other error may pass.
    const isOver = dueAfterMs === null && isAboutPayment(failure.reason);
    const retryMs = isOver ? null : retryPauseMs(record, facts.serviceNow);
    await table.reschedule({ id, version, dueAfterMs: retryMs, claim, isServed: isOver });
    throw failure.reason;
  }
  // A verification that changed something has scheduled the next one, and has ended the claim if it had it.
  if (claim === null ? version !== due.version : results.some((result) => hasEnded(result, claim))) return;
  await table.reschedule({ id, version, dueAfterMs, claim, isServed: !isOpening(record) });
}

const hasEnded = (result: Checked['results'][number], claim: number): boolean =>
  result.status === 'fulfilled' && (result.value.endedClaim ?? 0) >= claim;

/** The callback may be about the payment that is being opened. */
const isOpening = (record: Watched): boolean =>
  'payments' in record && record.payments.some(({ state }) => state === 'opening');

function newestOf(stored: Stored<Watched>, results: Checked['results']): Stored<Watched> {
  let newest = stored;
  for (const result of results) {
    const found = result.status === 'fulfilled' ? result.value.found : undefined;
    if (found !== undefined && found.kind !== 'purged' && found.version > newest.version) newest = found;
  }
  return newest;
}

/** Waits until all have started. If one never will, releases it to other instances at once, and throws its reason. */
async function allBegun({ store }: ReconcilerOptions, checks: readonly Check[]): Promise<void> {
  const starts = await Promise.allSettled(checks.map(({ started }) => started));
  const lost = checks.filter((_, index) => starts[index]?.status === 'rejected');
  await Promise.allSettled(lost.map(({ reference }) => store.wake(reference, { leaseMs: 0 })));
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
}
