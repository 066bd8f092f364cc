import type { PaymentView } from '../../src/contract/index.ts';
import { isCheckoutError } from '../../src/contract/index.ts';
import { abortAfter, joinSignals, noLongerNeeded, raceAbort, type Wait } from '../async/wait.ts';
import type { LiveMode } from '../payments/live-mode.ts';
import { decidingPayment, toOrderView } from '../payments/order-view.ts';
import { etagOf, isOpened, matchesEtag, type OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord, Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Verifier } from '../verification/verifier.ts';
import type { Waiter, Waiters } from './waiters.ts';

export type LongPollOptions = {
  liveMode: LiveMode;
  verifier: Verifier;
  store: Store;
  waiters: Waiters;
  /** The longest time between two readings of the store now, for what the bus has not told. */
  rereadMs: () => number;
  wait: Wait;
  log: Log;
};

export type LongPollRequest = {
  reference: string;
  /** The ETag that the browser has; without one the answer comes at once. */
  ifNoneMatch: string | undefined;
  /** How long to hold the answer, in milliseconds; 0 for not at all. */
  waitMs: number;
  signal: AbortSignal;
};

/**
 * - `notAsked`: the answer came at once, as the browser wished
 * - `held`: until there was news, or to the end of the wait
 * - `cutShort`: for a while, because others wait for this payment, or the server stops
 * - `full`: not at all, because as many wait as this instance holds
 */
export type Hold = 'notAsked' | 'held' | 'cutShort' | 'full';

export type LongPollResult = {
  /** The payment that was asked for. */
  record: OpenedRecord;
  /** The payment that the view is of: it decides for the order. */
  deciding: OpenedRecord;
  view: PaymentView;
  etag: string;
  isNew: boolean;
  hold: Hold;
};

/** How long an answer that is not held may wait for the service before what is recorded has to do. */
const patienceMs = 4000;

/**
 * Gives the view of a payment, for its whole order, as soon as it differs from what the browser has, or when the wait is
 * over. `undefined` when no payment of this reference can be shown. Whoever waits for a payment waits for all payments of its
 * order that may still be paid: each is verified as often.
 *
 * When the service cannot be reached, a browser that has nothing yet gets what is recorded: the account is the same,
 * and a shopper who has just reloaded needs it. One that has it already is told the truth.
 *
 * @throws {CheckoutError} when the look failed; the signal's reason when the browser has gone
 */
export async function pollPayment(
  options: LongPollOptions,
  request: LongPollRequest,
): Promise<LongPollResult | undefined> {
  const { verifier, store, log, wait, liveMode, rereadMs } = options;
  const { reference, waitMs, signal } = request;
  const waiter = waitMs > 0 ? options.waiters.enter(reference) : undefined;
  const { signal: over, cancel } = abortAfter(wait, waiter === undefined ? patienceMs : waitMs);
  const { signal: ended, release } = joinSignals(over, signal, ...(waiter ? [waiter.cutShort] : []));
  const readOrder = async (): Promise<PaymentRecord[]> => {
    const records = await store.listOrderOf(reference);
    liveMode.checkRecords(records);
    return records;
  };
  const toResult = (records: readonly PaymentRecord[]) => resultOf(records, request, holdOf(request, waiter));
  const isVerified = (record: PaymentRecord): boolean => record.reference === reference || isWatched(record);
  const msUntilDue = (records: readonly PaymentRecord[]): number =>
    Math.min(...records.filter(isVerified).map((record) => verifier.msUntilDue(record.reference)));
  try {
    for (;;) {
      ended.throwIfAborted();
      const stored = await readOrder();
      if (waiter === undefined)
        return await toResult(await raceAbort(verifyOrder(verifier, stored, reference), ended));
      const known = await toResult(stored);
      if (known === undefined || known.isNew) return known;
      if (msUntilDue(stored) === 0) {
        const verification = raceAbort(verifyOrder(verifier, stored, reference), ended);
        const verified = await unlessNews({ waiter, rereadMs: rereadMs(), signal: ended }, verification);
        const result = verified && (await toResult(verified));
        if (result?.isNew) return result;
        // There is news, or the verification takes long, while another instance may have stored some.
        if (verified === undefined) continue;
      }
      // At least a moment, so that a clock which stands still cannot make this loop spin.
      await waiter.untilNews(Math.min(Math.max(msUntilDue(stored), 100), rereadMs()), ended);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const isOver = ended.aborted;
    const result = isOver || isCheckoutError(error) ? await toResult(await readOrder()) : undefined;
    if (isOver) return result;
    if (!result?.isNew) throw error;
    log({ type: 'verificationFailed', reference, error });
    return result;
  } finally {
    cancel();
    release();
    waiter?.leave();
  }
}

/** Gives `work`; `undefined` where news comes first, or `work` takes longer than the store may go unread. */
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

/** Whether money may still come on a payment, or be taken back, that is news for the whole order. */
const isWatched = (record: PaymentRecord): boolean => isOpened(record) && record.outcome !== 'replaced';

/** All payments of the order, as they are after a verification. That of another payment may fail: it will be made again. */
function verifyOrder(
  verifier: Verifier,
  records: readonly PaymentRecord[],
  asked: string,
): Promise<PaymentRecord[]> {
  return Promise.all(
    records.map(async (record) => {
      const { reference } = record;
      if (reference === asked) return (await verifier.verify(reference)) ?? record;
      return (isWatched(record) && (await verifier.verify(reference).catch(() => undefined))) || record;
    }),
  );
}

function holdOf({ waitMs }: LongPollRequest, waiter: Waiter | undefined): Hold {
  if (waitMs === 0) return 'notAsked';
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
