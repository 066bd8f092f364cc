import { isCheckoutError, type PaymentView } from '../../../src/contract/index.ts';
import type { PollRequest } from '../../core/routes.ts';
import { findPayment, isShown, type Order, type ShownPayment } from '../order/record.ts';
import { view } from '../order/view.ts';
import type { Engine } from '../shell/engine.ts';
import { newestOf } from '../shell/records.ts';
import type { Stored } from '../store.ts';
import type { Known } from '../verification/verifier.ts';
import { resolveWithin } from '../wait.ts';
import type { Client, Waiter } from './waiters.ts';

/** `client`: who asks; one client can hold a part of the places only. */
export type LongPollRequest = Omit<PollRequest, 'liveMode'> & { client: Client };

/**
 * - `notRequested`: the browser did not ask for a long poll
 * - `held`: until the view changed, or until the end of the wait
 * - `cutShort`: ended early, because the server stops
 * - `full`: not held, because this client or this instance holds as many requests as it may
 */
export type Hold = 'notRequested' | 'held' | 'cutShort' | 'full';

export type LongPollResult = {
  payment: ShownPayment;
  /** The payment's view, for its whole order. */
  view: PaymentView;
  isNew: boolean;
  hold: Hold;
};

/** The longest time between two reads of the store, for changes of other instances that nobody has announced. */
const rereadMs = 3000;

/** How long a response that is not held may wait for the service before the stored order is used. */
const patienceMs = 4000;

/**
 * Returns the view of a payment, for its whole order, as soon as it differs from the one that the browser has, or when the wait ends;
 * `undefined` if no payment of this reference can be shown. While a browser waits, all payments of the order that were ever shown are
 * verified: money on any of them changes the view.
 *
 * If the service cannot be reached, a browser without a view gets the stored one: the account is the same, and a shopper who has just
 * reloaded needs it. A browser that already has it gets the error.
 *
 * @throws {CheckoutError} if the verification failed; the signal's reason if the browser has gone
 */
export async function pollPayment(
  engine: Engine,
  asked: LongPollRequest,
): Promise<LongPollResult | undefined> {
  const { reference, client, request, waitMs } = asked;
  // Most responses are not held, and need no signal.
  const waiter =
    waitMs === 0
      ? undefined
      : engine.waiters.enter(reference, client, { ms: waitMs, signal: request.signal });
  const held = (result: Result): LongPollResult | undefined =>
    result && { ...result, hold: waiter?.hold() ?? (waitMs > 0 ? 'full' : 'notRequested') };
  try {
    return held(await (waiter === undefined ? respondSoon(engine, asked) : untilNews(engine, asked, waiter)));
  } catch (error) {
    if (!isCheckoutError(error)) throw error;
    const stored = await resultOf(await readOrder(engine, reference), asked);
    if (!stored?.isNew) throw error;
    engine.log({ type: 'verificationFailed', reference, error });
    return held(stored);
  } finally {
    waiter?.leave();
  }
}

type Result = Omit<LongPollResult, 'hold'> | undefined;

async function respondSoon(engine: Engine, asked: LongPollRequest): Promise<Result> {
  const { reference, request } = asked;
  const order = await readOrder(engine, reference);
  const hasFailed = engine.verifier.errorOf(reference) !== undefined;
  // Usually: no signal and no timer is needed to respond at once.
  if (order === undefined || (msUntilDue(engine, order) > 0 && !hasFailed)) return resultOf(order, asked);
  const verifying = verifyOrder(engine, asked, order);
  const verified = await resolveWithin(engine.wait, patienceMs, verifying, request.signal);
  return resultOf(verified ?? (await readOrder(engine, reference)), asked);
}

async function readOrder({ store, liveMode }: Engine, reference: string): Promise<Stored<Order> | undefined> {
  const found = await store.find({ reference });
  if (found.record === null) return undefined;
  liveMode.checkOrder(found.record);
  return found;
}

const shownReferences = ({ record }: Stored<Order>): string[] =>
  record.payments.filter(isShown).map(({ reference }) => reference);

const msUntilDue = ({ verifier }: Engine, order: Stored<Order>): number =>
  Math.min(...shownReferences(order).map((reference) => verifier.msUntilDue(reference)));

/**
 * Verifies all payments of the order that were ever shown, and returns the order as it is then. A failure counts only for the requested
 * payment; the others are verified again later.
 *
 * @throws {CheckoutError} if the requested payment cannot be verified
 */
async function verifyOrder(
  { verifier }: Engine,
  { reference: requested }: LongPollRequest,
  order: Stored<Order>,
): Promise<Stored<Order>> {
  const known: Known = { stored: order, claim: null };
  const verifyOne = async (reference: string): Promise<Stored<Order> | undefined> => {
    const verification = verifier.verify(reference, known).then((one) => one?.stored);
    return reference === requested ? verification : verification.catch(() => undefined);
  };
  const verified = await Promise.all(shownReferences(order).map(verifyOne));
  // A verification that was shared with a caller who knew less returns an older one.
  return newestOf(order, verified);
}

/** Reads and verifies the order when that is due, until its view is new or the wait has ended. */
async function untilNews(engine: Engine, asked: LongPollRequest, waiter: Waiter): Promise<Result> {
  for (;;) {
    asked.request.signal.throwIfAborted();
    waiter.forgetNews();
    // A function of its own, so that a request that sleeps keeps no order in memory.
    const { result, pauseMs } = await verifyIfDue(engine, asked, waiter);
    if (pauseMs === undefined) return result;
    if (pauseMs > 0) await waiter.sleep(pauseMs);
  }
}

/** Returns the result, or how long to wait for news of the order. */
async function verifyIfDue(
  engine: Engine,
  asked: LongPollRequest,
  waiter: Waiter,
): Promise<{ result?: Result; pauseMs?: number }> {
  const order = await readOrder(engine, asked.reference);
  const known = await resultOf(order, asked);
  if (order === undefined || known?.isNew !== false || waiter.hasEnded()) return { result: known };
  if (msUntilDue(engine, order) === 0) {
    const verified = await waiter.sleep(rereadMs, verifyOrder(engine, asked, order));
    // A change was announced, or the verification takes long and another instance may have stored one.
    if (verified === undefined) return { pauseMs: 0 };
    const result = await resultOf(verified, asked);
    if (result?.isNew) return { result };
  }
  // At least a moment, so that a stopped clock cannot make the loop spin.
  return { pauseMs: Math.min(Math.max(msUntilDue(engine, order), 100), rereadMs) };
}

async function resultOf(
  stored: Stored<Order> | undefined,
  { reference, isKnown }: LongPollRequest,
): Promise<Result> {
  const order = stored?.record;
  const payment = order && findPayment(order, reference);
  if (order === undefined || !isShown(payment)) return undefined;
  const shown = view(order, payment);
  return { payment, view: shown, isNew: !(await isKnown(shown)) };
}
