import { raceAbort, settleWithin } from '../../client/async/wait.ts';
import type { ClaimedOutboxEvent, Store } from '../ports/store.ts';
import { type DeliveryOptions, deliverOutboxEvent, lastPatienceMs, stopped } from './deliver.ts';
import { hasHandlers } from './handlers.ts';
import { createPlaces, type Run } from './places.ts';

/** Delivers the store's outbox events to the merchant's handlers. */
export type OutboxRunner = {
  /** Delivers what is due soon, including what is added meanwhile. */
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

/** Creates a runner of concurrent handlers. One that hangs does not hold up those of other orders: it makes room for them. */
export function createOutboxRunner(options: DeliveryOptions): OutboxRunner {
  const { store, wait, leaseMs, log } = options;
  const places = createPlaces(maxRunsOf(store), runSoon);
  const retries = new Set<AbortController>();
  let isClosed = !hasHandlers(options.handlers);
  let mayBeDue: boolean;
  let claiming: Promise<void> | undefined;

  function runSoon(): void {
    mayBeDue = true;
    claiming ??= Promise.resolve().then(claimAll);
  }

  async function claimAll(): Promise<void> {
    try {
      while (mayBeDue && !isClosed && places.canStart()) {
        mayBeDue = false;
        const event = await store.claimOutboxEvent({ leaseMs });
        if (event === undefined) continue;
        mayBeDue = true;
        places.start((run) => deliver(event, run));
      }
    } catch (error) {
      log({ type: 'backgroundFailed', error });
    } finally {
      places.dropOffers();
      claiming = undefined;
    }
  }

  async function deliver(event: ClaimedOutboxEvent, run: Run): Promise<void> {
    try {
      retryAfter(await deliverOutboxEvent(options, event, run));
    } catch (error) {
      log({ type: 'backgroundFailed', error });
    }
  }

  function retryAfter(ms: number | null): void {
    if (ms === null || isClosed) return;
    const cancelled = new AbortController();
    retries.add(cancelled);
    wait(ms + marginMs, cancelled.signal, true)
      .finally(() => retries.delete(cancelled))
      .then(runSoon, () => {});
  }

  async function settled(): Promise<void> {
    for (let running = places.ended(); claiming ?? running; running = places.ended())
      await Promise.all([claiming, running]);
  }

  return {
    runSoon,
    settled,
    async stop(patience) {
      isClosed = true;
      for (const cancelled of retries) cancelled.abort();
      await raceAbort(settled(), patience).catch(() => places.interrupt(stopped));
      await settleWithin(wait, lastPatienceMs + releaseMs, settled());
    },
  };
}
