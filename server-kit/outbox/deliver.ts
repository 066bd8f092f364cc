import { CheckoutError } from '../../src/contract/index.ts';
import { joinSignals, raceAbort, type Wait, whenAborted } from '../async/wait.ts';
import type { ClaimedOutboxEvent, OutboxEvent } from '../stores/outbox-event.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { Store } from '../stores/store.ts';
import { callHandler, type OutcomeHandlers } from './handlers.ts';

export type DeliveryOptions = {
  store: Store;
  wait: Wait;
  handlers: OutcomeHandlers;
  /** The number of failures after which an event becomes a dead letter. */
  maxTries: number;
};

/** How long a handler in a transaction may run after its signal has aborted. Then the transaction is cut off. */
export const lastPatienceMs = 5000;

/**
 * Calls the handler of an outbox event, and marks the event as done. Returns false if the lease was lost meanwhile.
 *
 * @throws what the handler throws; the signal's reason if it aborts while the handler still runs
 */
export async function deliverOutboxEvent(
  options: DeliveryOptions,
  event: ClaimedOutboxEvent,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, handlers } = options;
  refuseLostTooOften(options, event);
  const record = await store.findByReference(event.reference);
  const { transact } = store;
  if (transact !== undefined) return deliverInTransaction(options, { transact, event, record }, signal);
  await raceAbort(callHandler(handlers, event, record, { signal, transaction: undefined }), signal);
  return store.finishOutboxEvent(event);
}

/** Runs after which a lost run counts as a failure, so that retries slow down. */
const maxLostTries = 20;

/** Stops a handler that crashes its process: nobody counts its failures, and it would crash every process that runs it. */
function refuseLostTooOften({ maxTries }: DeliveryOptions, { wasLost, token }: ClaimedOutboxEvent): void {
  if (!wasLost || token <= Math.min(maxTries, maxLostTries)) return;
  const message = `The handler was started ${token - 1} times, and the last run neither ended nor failed: its process ended, or lost the store.`;
  throw new CheckoutError('internal_error', message);
}

type Delivery = {
  transact: NonNullable<Store['transact']>;
  event: OutboxEvent;
  record: PaymentRecord | undefined;
};

/** Waits for the handler even after its signal has aborted, because it uses the transaction; but not forever. */
async function deliverInTransaction(
  { handlers, wait }: DeliveryOptions,
  { transact, event, record }: Delivery,
  signal: AbortSignal,
): Promise<boolean> {
  const ended = new AbortController();
  const cut = new AbortController();
  const lost = new AbortController();
  const either = joinSignals(signal, lost.signal);
  whenAborted(signal, () => {
    wait(lastPatienceMs, ended.signal, true).then(
      () => cut.abort(signal.reason),
      () => {},
    );
  });
  try {
    const run = (transaction: unknown) =>
      callHandler(handlers, event, record, { signal: either.signal, transaction });
    return await transact(event, run, cut.signal);
  } catch (error) {
    // The database may have ended the transaction while the handler still runs; it will be called again.
    lost.abort(error);
    throw error;
  } finally {
    ended.abort();
    either.release();
  }
}
