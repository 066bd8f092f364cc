import type { Log } from './guard/log.ts';
import { isOpened } from './payment-view.ts';
import type { Recorder } from './recorder.ts';
import type { DuePayment, Store } from './stores/store.ts';
import type { Wait } from './wait.ts';
import type { Watcher } from './watcher.ts';

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
   * Takes some payments that are due, and begins to look each up at the service, as the budget of looks allows. Other
   * instances take others. A look that hangs holds up no other: the next run may begin before this one has ended.
   */
  begin: () => Promise<ReconcileRun>;
};

export type ReconcilerOptions = {
  store: Store;
  recorder: Recorder;
  watcher: Watcher;
  looksPerSecond: number;
  wait: Wait;
  log: Log;
  /** Ends the waits for the budget. */
  stopping: AbortSignal;
};

const limit = 20;

/** Longer than a look with its retry and its wait for the budget. Whoever crashes leaves the payment to others after it. */
const leaseMs = 60_000;

const permitIntervalMs = 250;

export function createReconciler(options: ReconcilerOptions): Reconciler {
  return {
    async begin() {
      const due = await options.store.claimDue({ limit, leaseMs });
      const checks: Promise<Failure | undefined>[] = [];
      for (const [index, payment] of due.entries()) {
        // One after the other, so that those that were woken go first.
        await takePermit(options).catch((error: unknown) => giveBack(options, due.slice(index), error));
        const { reference } = payment.record;
        const failed = (error: unknown): Failure => ({ reference, error });
        checks.push(check(options, payment).then(() => undefined, failed));
      }
      const hasMore = due.length === limit;
      const count = async (): Promise<ReconcileCounts> => {
        const failures = (await Promise.all(checks)).filter((failure) => failure !== undefined);
        // One of them: when the service is down, all say the same.
        if (failures[0] !== undefined) options.log({ type: 'lookFailed', ...failures[0] });
        return { due: due.length, failed: failures.length, hasMore };
      };
      return { hasMore, ended: count() };
    },
  };
}

type Failure = { reference: string; error: unknown };

async function check(options: ReconcilerOptions, { record, claim }: DuePayment): Promise<void> {
  const { recorder, watcher } = options;
  if (record.outcome === 'pending' && !isOpened(record)) {
    // A crash left it behind: its account was never shown, so that nobody can have paid into it. One that was woken may be
    // younger: a callback can come before the answer with the account, which somebody is about to record.
    if (claim === null) await recorder.replace(record);
    else await recorder.reschedule(record, claim);
    return;
  }
  try {
    const looked = await watcher.lookAfresh(record.reference);
    // What the payment was woken for is answered by this look alone, whatever else is written meanwhile.
    if (looked !== undefined && claim !== null) await recorder.reschedule(looked, claim);
    // A look that has changed something has set the next one.
    else if (looked?.version === record.version) await recorder.reschedule(looked);
  } catch (error) {
    await recorder.rescheduleFailed(record, error, claim);
    throw error;
  }
}

async function takePermit({ store, looksPerSecond, wait, stopping }: ReconcilerOptions): Promise<void> {
  while (!(await store.takePermit(looksPerSecond))) await wait(permitIntervalMs, stopping, true);
}

/** Leaves to others at once what was claimed and will not be looked up here, and goes on failing. */
async function giveBack(
  { store }: ReconcilerOptions,
  due: readonly DuePayment[],
  error: unknown,
): Promise<never> {
  await Promise.allSettled(due.map(({ record }) => store.wake(record.reference)));
  throw error;
}
