import { isCheckoutError, maxWaitSeconds, type PaymentView } from '../../../src/contract/index.ts';
import type { Wait } from '../../client/async/wait.ts';
import { etagOf, matchesEtag } from '../../http/etag.ts';
import type { PlainRequest } from '../../http/plain-http.ts';
import type { Client } from '../fairness/client.ts';
import { findPayment, isShown, type Order, type ShownPayment } from '../order/order.ts';
import { view } from '../order/view.ts';
import type { FoundRecord, Store, Stored } from '../ports/store.ts';
import type { Known, PaymentVerifier } from '../shell/verify-payment.ts';
import type { Log } from '../telemetry/log.ts';
import { createWaiter, type Waiter } from './waiter.ts';
import type { Waiters } from './waiters.ts';

export type LongPollOptions = {
  store: Pick<Store, 'find'>;
  /** Throws if the order must not be shown. */
  checkOrder: (order: Order) => void;
  verifier: Pick<PaymentVerifier, 'verify' | 'msUntilDue' | 'errorOf'>;
  waiters: Pick<Waiters, 'enter'>;
  /** Returns the longest time between two reads of the store, for changes that the bus has not announced. */
  rereadMs: () => number;
  wait: Wait;
  log: Log;
};

export type LongPollRequest = {
  reference: string;
  /** Who asks: while places or verifications are short, clients take turns. */
  client: Client;
  /**
   * `If-None-Match` names the view that the browser has; without one, the response comes at once. `Prefer: wait` says how long to hold
   * it.
   */
  request: Pick<PlainRequest, 'header' | 'signal'>;
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
  payment: ShownPayment;
  /** The view of it for its whole order. */
  view: PaymentView;
  etag: string;
  isNew: boolean;
  hold: Hold;
};

/** How long a response that is not held may wait for the service before the stored order is used. */
const patienceMs = 4000;

/**
 * Returns the view of a payment, for its whole order, as soon as it differs from the one that the browser has, or when the wait is over;
 * `undefined` if no payment of this reference can be shown. While a browser waits, all payments of the order that were ever shown are
 * verified: money on each of them is news.
 *
 * If the service cannot be reached, a browser without a view gets the stored one: the account is the same, and a shopper who has just
 * reloaded needs it. A browser that already has it gets the error.
 *
 * @throws {CheckoutError} if the verification failed; the signal's reason if the browser has gone
 */
export async function pollPayment(
  options: LongPollOptions,
  asked: LongPollRequest,
): Promise<LongPollResult | undefined> {
  const { reference, client, request } = asked;
  const waitMs = waitMsOf(request);
  // Most responses are not held, and need no signal.
  const waiter =
    waitMs === 0
      ? undefined
      : options.waiters.enter(reference, client, { ms: waitMs, signal: request.signal });
  try {
    const result = await resultOrStored(options, asked, waiter);
    return result && { ...result, hold: waiter?.hold() ?? (waitMs > 0 ? 'full' : 'notRequested') };
  } finally {
    waiter?.leave();
  }
}

type Result = Omit<LongPollResult, 'hold'> | undefined;

/** Parses `Prefer: wait=N` (RFC 7240, section 4.3), in seconds, up to the contract's maximum. */
function waitMsOf({ header }: LongPollRequest['request']): number {
  if (header('if-none-match') === undefined) return 0;
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(header('prefer') ?? '')?.[1];
  return Math.min(Number(seconds ?? 0), maxWaitSeconds) * 1000;
}

async function resultOrStored(
  options: LongPollOptions,
  asked: LongPollRequest,
  waiter: Waiter | undefined,
): Promise<Result> {
  try {
    return await (waiter === undefined ? respondSoon(options, asked) : untilNews(options, asked, waiter));
  } catch (error) {
    if (!isCheckoutError(error)) throw error;
    const { reference } = asked;
    const result = await resultOf(await readOrder(options, reference), asked);
    if (!result?.isNew) throw error;
    options.log({ type: 'verificationFailed', reference, error });
    return result;
  }
}

async function respondSoon(options: LongPollOptions, asked: LongPollRequest): Promise<Result> {
  const { reference, request } = asked;
  const order = await readOrder(options, reference);
  const hasFailed = options.verifier.errorOf(reference) !== undefined;
  // Usually: no signal and no timer is needed to respond at once.
  if (order === undefined || (msUntilDue(options, order) > 0 && !hasFailed)) return resultOf(order, asked);
  const { waiter } = createWaiter(options.wait, { ms: patienceMs, signal: request.signal });
  try {
    const verified = await waiter.sleep(patienceMs, verifyOrder(options, asked, order));
    request.signal.throwIfAborted();
    return await resultOf(verified ?? (await readOrder(options, reference)), asked);
  } finally {
    waiter.leave();
  }
}

async function readOrder(
  { store, checkOrder }: LongPollOptions,
  reference: string,
): Promise<Stored<Order> | undefined> {
  const found = await store.find(reference);
  if (found?.kind !== 'order') return undefined;
  checkOrder(found.record);
  return found;
}

const shownReferences = ({ record }: Stored<Order>): string[] =>
  record.payments.filter(isShown).map(({ reference }) => reference);

const msUntilDue = ({ verifier }: LongPollOptions, order: Stored<Order>): number =>
  Math.min(...shownReferences(order).map((reference) => verifier.msUntilDue(reference)));

/**
 * Verifies all payments of the order that were ever shown, and returns the order as it is then. A failure counts only for the requested
 * payment; the others are verified again later.
 *
 * @throws {CheckoutError} if the requested payment cannot be verified
 */
async function verifyOrder(
  { verifier }: LongPollOptions,
  { reference: requested, client }: LongPollRequest,
  order: Stored<Order>,
): Promise<Stored<Order>> {
  const known: Known = { found: { kind: 'order', ...order }, claim: null };
  const verifyOne = async (reference: string): Promise<FoundRecord | undefined> => {
    const verification = verifier.verify(reference, client, known).then((verified) => verified?.found);
    return reference === requested ? verification : verification.catch(() => undefined);
  };
  const found = await Promise.all(shownReferences(order).map(verifyOne));
  return newestOf(order, found);
}

/** Each result has the whole order as it was after that verification, or before it if it was shared with a caller who knew less. */
function newestOf(order: Stored<Order>, found: readonly (FoundRecord | undefined)[]): Stored<Order> {
  const orders = found.flatMap((one) => (one?.kind === 'order' ? one : []));
  return [order, ...orders].reduce((newest, one) => (one.version > newest.version ? one : newest));
}

/** Verifies the order when that is due, until its view is new or the wait has ended. */
async function untilNews(options: LongPollOptions, asked: LongPollRequest, waiter: Waiter): Promise<Result> {
  const { rereadMs } = options;
  for (;;) {
    asked.request.signal.throwIfAborted();
    waiter.forgetNews();
    const order = await readOrder(options, asked.reference);
    const known = await resultOf(order, asked);
    if (order === undefined || known?.isNew !== false || waiter.hasEnded()) return known;
    if (msUntilDue(options, order) === 0) {
      const verified = await waiter.sleep(rereadMs(), verifyOrder(options, asked, order));
      // There is news, or the verification takes long and another instance may have stored some.
      if (verified === undefined) continue;
      const result = await resultOf(verified, asked);
      if (result?.isNew) return result;
    }
    // At least a moment, so that a stopped clock cannot make this loop spin.
    await waiter.sleep(Math.min(Math.max(msUntilDue(options, order), 100), rereadMs()));
  }
}

async function resultOf(
  stored: Stored<Order> | undefined,
  { reference, request }: LongPollRequest,
): Promise<Result> {
  const order = stored?.record;
  const payment = order && findPayment(order, reference);
  if (order === undefined || !isShown(payment)) return undefined;
  const shown = view(order, payment);
  const etag = await etagOf(shown);
  return { payment, view: shown, etag, isNew: !matchesEtag(request.header('if-none-match'), etag) };
}
