import type { PaymentView } from '../src/contract/index.ts';
import { isCheckoutError } from '../src/contract/index.ts';
import type { Bus } from './buses/bus.ts';
import { etagOf, isOpened, matchesEtag, type OpenedRecord, toPaymentView } from './payment-view.ts';
import type { Store } from './stores/store.ts';
import { abortAfter, joinSignals, raceAbort, type Wait } from './wait.ts';
import type { Watcher } from './watcher.ts';

export type LongPollOptions = {
  watcher: Watcher;
  store: Store;
  bus: Bus;
  wait: Wait;
  /** Hears what the merchant should know, and the browser should not. */
  report: (error: unknown) => void;
};

export type LongPollRequest = {
  reference: string;
  /** The ETag that the browser has; without one the answer comes at once. */
  ifNoneMatch: string | undefined;
  /** How long to hold the answer, in milliseconds; 0 for not at all. */
  waitMs: number;
  signal: AbortSignal;
};

export type LongPollAnswer = { record: OpenedRecord; view: PaymentView; etag: string; isNew: boolean };

/** The longest time between two readings of the store, for what the bus has not told. */
const rereadMs = 3000;

/** How long an answer that is not held may wait for the service before what is recorded has to do. */
const patienceMs = 4000;

/**
 * Gives the view of a payment as soon as it differs from what the browser has, or when the wait is over.
 * `undefined` when no payment of this reference can be shown.
 *
 * When the service cannot be reached, a browser that has nothing yet gets what is recorded: the account is the same,
 * and a shopper who has just reloaded needs it. One that has it already is told the truth.
 *
 * @throws {CheckoutError} when the look failed; the signal's reason when the browser has gone
 */
export async function pollPayment(
  options: LongPollOptions,
  request: LongPollRequest,
): Promise<LongPollAnswer | undefined> {
  const { watcher, store, report, wait } = options;
  const { reference, ifNoneMatch, waitMs, signal } = request;
  const { signal: over, cancel } = abortAfter(wait, waitMs || patienceMs);
  const { signal: ended, release } = joinSignals(over, signal);
  const news = listenFor(options, reference);
  const stored = async () => answerFor(await store.findByReference(reference), ifNoneMatch);
  try {
    for (;;) {
      const answer = await answerFor(await raceAbort(watcher.look(reference), ended), ifNoneMatch);
      if (answer === undefined || answer.isNew || waitMs === 0) return answer;
      // At least a moment, so that a clock which stands still cannot make this loop spin.
      await news.wait(Math.min(Math.max(watcher.msUntilDue(reference), 100), rereadMs), ended);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (over.aborted) return await stored();
    const answer = isCheckoutError(error) ? await stored() : undefined;
    if (!answer?.isNew) throw error;
    report(error);
    return answer;
  } finally {
    cancel();
    release();
    news.release();
  }
}

/** Waits that end early when somebody, on whichever instance, has seen something new of the payment. */
function listenFor({ bus, wait }: LongPollOptions, reference: string) {
  let hasNews = false;
  let wake = (): void => {};
  const hear = (): void => {
    hasNews = true;
    wake();
  };
  const release = bus.subscribe((told) => {
    if (told === reference) hear();
  }, hear);
  return {
    release,
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      const woken = new AbortController();
      wake = () => woken.abort();
      // What came while nobody waited counts too.
      if (hasNews) wake();
      const either = joinSignals(signal, woken.signal);
      await wait(ms, either.signal).catch(() => signal.throwIfAborted());
      either.release();
      hasNews = false;
    },
  };
}

async function answerFor(
  record: Parameters<typeof isOpened>[0],
  ifNoneMatch: string | undefined,
): Promise<LongPollAnswer | undefined> {
  if (!isOpened(record)) return undefined;
  const view = toPaymentView(record);
  const etag = await etagOf(view);
  return { record, view, etag, isNew: !matchesEtag(ifNoneMatch, etag) };
}
