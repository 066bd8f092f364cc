import { clockSkewMs, type IgnoredReason, mergeObservation } from './merge.ts';
import { holdsMoney } from './money.ts';
import {
  findPayment,
  isShown,
  type Observation,
  type Order,
  type ShownPayment,
  type UnseenPayment,
  withPayment,
} from './order.ts';
import { type ServiceResponse, toObservation } from './response.ts';

/** The order after a response: the same object if nothing has changed. An ignored response is no evidence of anything. */
export type Observed = { order: Order; ignored: IgnoredReason | null };

/** Merges a response of the service about one of the order's payments. */
export function observe(order: Order, reference: string, response: ServiceResponse): Observed {
  const payment = findPayment(order, reference);
  if (isShown(payment)) return observeShown(order, payment, response);
  if (payment?.state === 'unseen') return observeUnseen(order, payment, response);
  // The account is recorded first: the service's response with it is under way.
  return { order, ignored: null };
}

function observeShown(order: Order, known: ShownPayment, response: ServiceResponse): Observed {
  const payment = adoptPayment({ ...known, missingSince: null }, response);
  const ignored = (reason: IgnoredReason): Observed => {
    const isNoted = payment.opened !== known.opened || known.missingSince !== null;
    return { order: isNoted ? withPayment(order, payment) : order, ignored: reason };
  };
  if (!isSamePayment(payment, response)) return ignored('otherPayment');
  const merged = merge(payment.observed, response, payment);
  if (typeof merged === 'string') return ignored(merged);
  const isUnchanged = merged === known.observed && payment.opened === known.opened;
  if (isUnchanged && known.missingSince === null) return { order, ignored: null };
  return { order: withPayment(order, { ...payment, observed: merged }), ignored: null };
}

const merge = (
  known: Observation | null,
  response: ServiceResponse,
  { amount }: Pick<ShownPayment, 'amount'>,
): Observation | IgnoredReason => mergeObservation(known, toObservation(response, known), amount);

/** Whether a response describes this payment: reference, id, mode and currency. */
const isSamePayment = ({ reference, amount, opened }: ShownPayment, response: ServiceResponse): boolean =>
  response.reference === reference &&
  response.paymentId === opened.paymentId &&
  response.liveMode === opened.liveMode &&
  response.currency === amount.currency;

/** A payment without money is not recorded: nobody has seen its account. A link in an e-mail can bring money all the same. */
function observeUnseen(order: Order, payment: UnseenPayment, response: ServiceResponse): Observed {
  const isSame = response.reference === payment.reference && response.currency === payment.amount.currency;
  if (!isSame) return { order, ignored: 'otherPayment' };
  const merged = merge(payment.observed, response, payment);
  if (typeof merged === 'string') return { order, ignored: merged };
  const isWorthRecording = payment.observed !== null || holdsMoney(merged);
  if (merged === payment.observed || !isWorthRecording) return { order, ignored: null };
  return { order: withPayment(order, { ...payment, observed: merged }), ignored: null };
}

/**
 * Returns a link's payment with the identity of the payment that opening the page created. A response that names another payment is
 * ignored the first time; if the next response names that payment again, it is adopted, unless known money would be forgotten.
 */
function adoptPayment(payment: ShownPayment, response: ServiceResponse): ShownPayment {
  const { paymentId, reference, currency, liveMode } = response;
  const { opened, observed } = payment;
  if (opened.kind !== 'link') return payment;
  const { otherPaymentId, ...link } = opened;
  if (paymentId === link.paymentId) {
    return otherPaymentId === undefined ? payment : { ...payment, opened: link };
  }
  // A mode that the service has stated is kept; and a test payment never becomes a live one.
  const isModeRight =
    link.liveMode === liveMode || (link.isModeAssumed === true && link.paymentId === null && !liveMode);
  if (reference !== payment.reference || currency !== payment.amount.currency || !isModeRight) return payment;
  if (link.paymentId !== null && otherPaymentId !== paymentId) {
    return { ...payment, opened: { ...link, otherPaymentId: paymentId } };
  }
  if (observed !== null && forgetsMoney(observed, toObservation(response, null))) return payment;
  // What is known concerns the payment of before, or was an expiry of our own.
  return {
    ...payment,
    opened: { ...link, paymentId, liveMode },
    observed: observed && afterPayment(observed),
  };
}

/** Whether adopting another payment of a link would give up money, or go back to the one whose money was taken back. */
function forgetsMoney(known: Observation, next: Observation): boolean {
  const { confirmedAt, reversedAt } = known;
  if (holdsMoney(known) && (confirmedAt !== undefined || !holdsMoney(next))) return true;
  return reversedAt !== undefined && Date.parse(next.updatedAt) - Date.parse(reversedAt) <= clockSkewMs;
}

/** What remains known for the next payment of a link: when money was taken back, which late nodes may not know yet. */
const afterPayment = ({ expectedAmount, reversedAt }: Observation): Observation | null =>
  reversedAt === undefined
    ? null
    : { status: 'initiated', chargedAmount: 0, expectedAmount, updatedAt: reversedAt, reversedAt };

/** Nodes of a service may learn of a new payment seconds apart. */
const knownWithinMs = 10_000;

/** How far the service's clock may be ahead of our estimate, in milliseconds: a link must not expire early. */
const graceMs = 5000;

/**
 * Returns the order after the service has said that it does not know a payment. A link that nobody has opened expires by our clock; an
 * account is marked as missing. `null` if that says nothing: the service may not know the payment yet.
 *
 * @param serviceNow the service's clock, in milliseconds since the epoch
 */
export function observeMissing(order: Order, reference: string, serviceNow: number): Order | null {
  const payment = findPayment(order, reference);
  if (!isShown(payment)) return order;
  if (isUnopenedLink(payment)) return expireLink(order, payment, serviceNow);
  if (payment.missingSince !== null) return order;
  if (serviceNow - Date.parse(payment.opened.openedAt) < knownWithinMs) return null;
  return withPayment(order, { ...payment, missingSince: new Date(serviceNow).toISOString() });
}

/** Whether the payment is a link that nobody is known to have opened: the service may not know its reference. */
export const isUnopenedLink = ({ opened }: ShownPayment): boolean =>
  opened.kind === 'link' && opened.paymentId === null;

/** The service does not report that expiry itself. If a shopper opened the page at the last moment, a later verification finds it. */
function expireLink(order: Order, payment: ShownPayment, serviceNow: number): Order {
  const { expiresAt } = payment.opened;
  if (payment.observed !== null || serviceNow <= Date.parse(expiresAt) + graceMs) return order;
  const expired: Observation = {
    status: 'expired',
    chargedAmount: 0,
    expectedAmount: payment.amount.value,
    updatedAt: expiresAt,
  };
  return withPayment(order, { ...payment, observed: expired });
}
