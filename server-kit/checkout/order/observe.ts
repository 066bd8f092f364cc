import { clockSkewMs, type IgnoredReason, mergeObservation } from './merge.ts';
import { holdsMoney } from './money.ts';
import {
  findPayment,
  isShown,
  type KnownPayment,
  type Observation,
  type Order,
  type ShownPayment,
  withPayment,
} from './order.ts';
import { type ServiceResponse, toObservation } from './response.ts';

/** The record after a response: the same object if nothing has changed. An ignored response is no evidence of anything. */
export type Observed<T> = { record: T; ignored: IgnoredReason | null };

/** Merges a response of the service about one of the order's payments. */
export function observe(order: Order, reference: string, response: ServiceResponse): Observed<Order> {
  const known = findPayment(order, reference);
  // The account is recorded first: the service's response with it is under way.
  if (known === undefined || known.state === 'opening') return { record: order, ignored: null };
  const { payment, ignored } = observePayment(known, response);
  const isSame = payment.observed === known.observed && payment.opened === known.opened;
  if (isSame && known.missingSince === null) return { record: order, ignored };
  return { record: withPayment(order, payment), ignored };
}

function observePayment(
  known: KnownPayment,
  response: ServiceResponse,
): { payment: KnownPayment; ignored: IgnoredReason | null } {
  const found = { ...known, missingSince: null };
  const payment = isShown(found) ? adoptPayment(found, response) : found;
  if (!isSamePayment(payment, response)) return { payment, ignored: 'otherPayment' };
  const next = toObservation(response, payment.observed);
  // A payment without money is not recorded if nobody has seen its account. A link in an e-mail can bring money all the same.
  if (payment.opened === null && payment.observed === null && !holdsMoney(next)) {
    return { payment, ignored: null };
  }
  const observed = mergeObservation(payment.observed, next, payment.amount);
  return typeof observed === 'string'
    ? { payment, ignored: observed }
    : { payment: { ...payment, observed }, ignored: null };
}

/** Whether a response describes this payment: reference and currency; and id and mode, where they are known. */
const isSamePayment = ({ reference, amount, opened }: KnownPayment, response: ServiceResponse): boolean =>
  response.reference === reference &&
  response.currency === amount.currency &&
  (opened === null || (response.paymentId === opened.paymentId && response.liveMode === opened.liveMode));

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
  if (holdsMoney(known) && (isConfirmed(known) || !holdsMoney(next))) return true;
  const { reversedAt } = known;
  return reversedAt !== undefined && Date.parse(next.updatedAt) - Date.parse(reversedAt) <= clockSkewMs;
}

/** Whether money was confirmed, and has not been taken back since. */
const isConfirmed = ({ confirmedAt, reversedAt }: Observation): boolean =>
  confirmedAt !== undefined && (reversedAt === undefined || Date.parse(reversedAt) < Date.parse(confirmedAt));

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
