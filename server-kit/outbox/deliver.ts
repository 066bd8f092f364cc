import { CheckoutError } from '../../src/contract/index.ts';
import { joinSignals, raceAbort, type Wait, whenAborted } from '../async/wait.ts';
import type { ClaimedOutboxEvent, OutboxEvent } from '../stores/outbox-event.ts';
import type { PaymentRecord, Store } from '../stores/store.ts';
import { callHandler, type OutcomeHandlers } from './handlers.ts';

export type DeliveryOptions = {
  store: Store;
  wait: Wait;
  handlers: OutcomeHandlers;
  /** After how many failures a person has to decide. */
  maxTries: number;
};

/** How long a handler in a transaction, whose signal has aborted, may take to end. Then the transaction is cut off. */
export const lastPatienceMs = 5000;

/**
 * Calls the handler of an effect, and marks it as done. Gives false when the effect was no longer ours in the end.
 *
 * @throws whatever the handler throws; the signal's reason when it has aborted, and the handler goes on
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

/** From then on a run that was lost counts as a failure, after which the pause is long. */
const maxLostTries = 20;

/** A handler that ends its process has nobody who counts its failures, and would end every process that begins it. */
function refuseLostTooOften({ maxTries }: DeliveryOptions, { wasLost, token }: ClaimedOutboxEvent): void {
  if (!wasLost || token <= Math.min(maxTries, maxLostTries)) return;
  const message = `The handler was begun ${token - 1} times and neither ended nor failed in the last: the process that ran it has ended, or lost the store.`;
  throw new CheckoutError('internal_error', message);
}

type Delivery = {
  transact: NonNullable<Store['transact']>;
  event: OutboxEvent;
  record: PaymentRecord | undefined;
};

/** Waits for the handler also when its signal has aborted, because it works on the transaction; but not for ever. */
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
    // The database may have ended it, and not the handler, which will be called again.
    lost.abort(error);
    throw error;
  } finally {
    ended.abort();
    either.release();
  }
}
