import { isCheckoutError, type PaymentView } from '../../src/contract/index.ts';
import { abortAfter, joinSignals, noLongerNeeded, raceAbort, type Wait } from '../async/wait.ts';
import type { Client } from '../fairness/client.ts';
import type { LiveMode } from '../payments/live-mode.ts';
import { decidingPayment, toOrderView } from '../payments/order-view.ts';
import { etagOf, isOpened, matchesEtag, type OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import { forClient, type Verifier } from '../verification/verifier.ts';
import { isVerifiedWith, verifyOrder } from '../verification/verify-order.ts';
import type { Waiter, Waiters } from './waiters.ts';

export type LongPollOptions = {
  liveMode: LiveMode;
  verifier: Verifier;
  store: Store;
  waiters: Waiters;
  /** Returns the longest time between two reads of the store, for changes that the bus has not announced. */
  rereadMs: () => number;
  wait: Wait;
  log: Log;
};

export type LongPollRequest = {
  reference: string;
  /** Who asks: while places or verifications are short, clients take turns. */
  client: Client;
  /** The ETag that the browser has; without one, the response comes at once. */
  ifNoneMatch: string | undefined;
  /** How long to hold the response, in milliseconds; 0 for not at all. */
  waitMs: number;
  signal: AbortSignal;
};

/**
 * - `notRequested`: the browser did not ask for a long poll
 * - `held`: until there was news, or until the end of the wait
 * - `cutShort`: ended early, because others wait, or the server stops
 * - `full`: not held, because this instance holds as many requests as it may
 */
export type Hold = 'notRequested' | 'held' | 'cutShort' | 'full';

export type LongPollResult = {
  /** The requested payment. */
  record: OpenedRecord;
  /** The payment that decides for the order, which is the one in the view. */
  deciding: OpenedRecord;
  view: PaymentView;
  etag: string;
  isNew: boolean;
  hold: Hold;
};

/** How long a response that is not held may wait for the service before the stored record is used. */
const patienceMs = 4000;

/**
 * Returns the view of a payment, for its whole order, as soon as it differs from the one that the browser has, or when the
 * wait is over; `undefined` if no payment of this reference can be shown. While a browser waits for one payment, all payments
 * of the order that may still receive money are verified.
 *
 * If the service cannot be reached, a browser without a view gets the stored one: the account is the same, and a shopper who
 * has just reloaded needs it. A browser that already has it gets the error.
 *
 * @throws {CheckoutError} if the verification failed; the signal's reason if the browser has gone
 */
export async function pollPayment(
  given: LongPollOptions,
  request: LongPollRequest,
): Promise<LongPollResult | undefined> {
  const { reference, client, waitMs, signal } = request;
  const options = { ...given, verifier: forClient(given.verifier, client) };
  const waiter = waitMs > 0 ? options.waiters.enter(reference, client) : undefined;
  const { signal: over, cancel } = abortAfter(options.wait, waiter === undefined ? patienceMs : waitMs);
  const { signal: ended, release } = joinSignals(over, signal, ...(waiter ? [waiter.cutShort] : []));
  const toResult = (records: readonly PaymentRecord[]) => resultOf(records, request, holdOf(request, waiter));
  try {
    if (waiter !== undefined) return await holdUntilNews(options, reference, { waiter, ended, toResult });
    ended.throwIfAborted();
    const stored = await readOrder(options, reference);
    return await toResult(await raceAbort(verifyOrder(options.verifier, stored, reference), ended));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const isOver = ended.aborted;
    const canFallBack = isOver || isCheckoutError(error);
    const result = canFallBack ? await toResult(await readOrder(options, reference)) : undefined;
    if (isOver) return result;
    if (!result?.isNew) throw error;
    options.log({ type: 'verificationFailed', reference, error });
    return result;
  } finally {
    cancel();
    release();
    waiter?.leave();
  }
}

async function readOrder({ store, liveMode }: LongPollOptions, reference: string): Promise<PaymentRecord[]> {
  const records = await store.listOrderOf(reference);
  liveMode.checkRecords(records);
  return records;
}

type HeldRequest = {
  waiter: Waiter;
  /** Aborts when the response must be sent. */
  ended: AbortSignal;
  toResult: (records: readonly PaymentRecord[]) => Promise<LongPollResult | undefined>;
};

/** Verifies the order when that is due, until its view is new. */
async function holdUntilNews(
  options: LongPollOptions,
  reference: string,
  { waiter, ended, toResult }: HeldRequest,
): Promise<LongPollResult | undefined> {
  const { verifier, rereadMs } = options;
  const msUntilDue = (records: readonly PaymentRecord[]): number => {
    const verified = records.filter((record) => isVerifiedWith(reference, record));
    return Math.min(...verified.map((record) => verifier.msUntilDue(record.reference)));
  };
  for (;;) {
    ended.throwIfAborted();
    const stored = await readOrder(options, reference);
    const known = await toResult(stored);
    if (known === undefined || known.isNew) return known;
    if (msUntilDue(stored) === 0) {
      const verification = raceAbort(verifyOrder(verifier, stored, reference), ended);
      const verified = await unlessNews({ waiter, rereadMs: rereadMs(), signal: ended }, verification);
      const result = verified && (await toResult(verified));
      if (result?.isNew) return result;
      // There is news, or the verification takes long and another instance may have stored some.
      if (verified === undefined) continue;
    }
    // At least a moment, so that a stopped clock cannot make this loop spin.
    await waiter.untilNews(Math.min(Math.max(msUntilDue(stored), 100), rereadMs()), ended);
  }
}

/** Returns the result of `work`; `undefined` if news comes first, or the store has to be read again. */
async function unlessNews<T>(
  { waiter, rereadMs, signal }: { waiter: Waiter; rereadMs: number; signal: AbortSignal },
  work: Promise<T>,
): Promise<T | undefined> {
  const ended = new AbortController();
  const either = joinSignals(signal, ended.signal);
  const news = waiter.untilNews(rereadMs, either.signal).then(() => undefined);
  try {
    return await Promise.race([work, news]);
  } finally {
    work.catch(() => {});
    news.catch(() => {});
    ended.abort(noLongerNeeded);
    either.release();
  }
}

function holdOf({ waitMs }: LongPollRequest, waiter: Waiter | undefined): Hold {
  if (waitMs === 0) return 'notRequested';
  if (waiter === undefined) return 'full';
  return waiter.cutShort.aborted ? 'cutShort' : 'held';
}

async function resultOf(
  records: readonly PaymentRecord[],
  { reference, ifNoneMatch }: LongPollRequest,
  hold: Hold,
): Promise<LongPollResult | undefined> {
  const record = records.find((one) => one.reference === reference);
  if (!isOpened(record)) return undefined;
  const view = toOrderView(records, record);
  const etag = await etagOf(view);
  const deciding = decidingPayment(records) ?? record;
  return { record, deciding, view, etag, isNew: !matchesEtag(ifNoneMatch, etag), hold };
}
