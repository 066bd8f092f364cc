import { type Wait, within } from '../../core/time.ts';
import type { ClaimedOutboxEvent, Store } from '../store.ts';
import { noLongerNeeded, raceAbort } from '../wait.ts';
import { type Delivery, deliverOutboxEvent, lastPatienceMs, type Run, stopped } from './deliver.ts';
import { handledOutcomes } from './handlers.ts';

/** Delivers the store's outbox events to the merchant's handlers. */
export type OutboxRunner = {
  /** Delivers what is due soon, including what is added while it runs. */
  runSoon: () => void;
  /** Resolves when no handler runs. Does not wait for retries that are not due yet. */
  settled: () => Promise<void>;
  /**
   * Starts nothing more, and resolves when no handler runs. If `patience` aborts first, the signals of the running handlers abort, and
   * their events are released. Rejects if a handler still runs seven seconds later.
   */
  stop: (patience: AbortSignal) => Promise<void>;
};

/** The store's clock may be slightly behind ours. */
const marginMs = 100;

/** How long the store may take to release an event after its handler was cut off. */
const releaseMs = 2000;

/** A handler without a transaction holds no connection of the store. */
const maxRunsWithoutTransaction = 100;

const maxRunsOf = ({ transact, maxTransactions = 4 }: Store): number =>
  transact === undefined ? maxRunsWithoutTransaction : maxTransactions;

/** Runs, each with the promise of its end. */
type Runs = Map<Run, Promise<void>>;

const tookLong = new Error('The handler took longer than a lease while another needed its place.');

/**
 * Creates a runner of concurrent handlers. The store gives out the events of an order one at a time, in their order. A handler that
 * hangs does not hold up those of other orders: once it has run as long as its lease, it makes room for them.
 */
export function createOutboxRunner(delivery: Delivery): OutboxRunner {
  const { store, wait, leaseMs, log } = delivery;
  const maxRuns = maxRunsOf(store);
  const runs: Runs = new Map();
  /** Those that make room if another event is due now, the longest first. */
  const offering: Runs = new Map();
  const retries = createPauses(wait, runSoon);
  let isClosed = handledOutcomes(delivery.handlers).length === 0;
  let isInterrupted = false;
  let mayBeDue = false;
  let claiming: Promise<void> | undefined;

  function runSoon(): void {
    mayBeDue = true;
    claimSoon();
  }

  function claimSoon(): void {
    claiming ??= Promise.resolve().then(claimAll);
  }

  async function claimAll(): Promise<void> {
    try {
      while (mayBeDue && !isClosed && (runs.size < maxRuns || offering.size > 0)) {
        mayBeDue = false;
        const event = await store.claimOutboxEvent({ leaseMs });
        mayBeDue ||= event?.hasMore ?? false;
        if (event !== undefined) start(event);
      }
    } catch (error) {
      log({ type: 'backgroundFailed', error });
    } finally {
      offering.clear();
      claiming = undefined;
    }
  }

  function start(event: ClaimedOutboxEvent): void {
    const place = runs.size < maxRuns ? Promise.resolve() : interruptFirst(offering);
    const onLong = (): void => {
      if (!run.ending.signal.aborted) offering.set(run, ended);
      claimSoon();
    };
    const run: Run = { place, ending: new AbortController(), onLong };
    if (isInterrupted) run.ending.abort(stopped);
    const ended = deliverOutboxEvent(delivery, event, run)
      .then(retries.begin, (error: unknown) => log({ type: 'backgroundFailed', error }))
      .finally(() => {
        runs.delete(run);
        offering.delete(run);
        claimSoon();
      });
    runs.set(run, ended);
  }

  const settled = async (): Promise<void> => {
    while (claiming !== undefined || runs.size > 0) await Promise.all([claiming, ...runs.values()]);
  };

  const interruptAll = (): void => {
    isInterrupted = true;
    for (const { ending } of runs.keys()) ending.abort(stopped);
  };

  return {
    runSoon,
    settled,
    async stop(patience) {
      isClosed = true;
      retries.end();
      await raceAbort(settled(), patience).catch(interruptAll);
      await within(wait, lastPatienceMs + releaseMs, settled);
    },
  };
}

/** Makes room for another run. Resolves when the first of these has ended. */
async function interruptFirst(offering: Runs): Promise<void> {
  for (const [run, ended] of offering) {
    offering.delete(run);
    run.ending.abort(tookLong);
    return ended;
  }
}

/** Pauses after which something is called. Each has its own signal: adding to one takes time in proportion to its listeners. */
function createPauses(wait: Wait, callback: () => void) {
  const pauses = new Set<AbortController>();
  let isEnded = false;
  return {
    /** Calls it at once after no time, and never for `null`. */
    begin(ms: number | null): void {
      if (ms === null || isEnded) return;
      if (ms === 0) return callback();
      const ended = new AbortController();
      pauses.add(ended);
      wait(ms + marginMs, ended.signal, true)
        .finally(() => pauses.delete(ended))
        .then(callback, () => {});
    },
    end(): void {
      isEnded = true;
      for (const pause of pauses) pause.abort(noLongerNeeded);
    },
  };
}
