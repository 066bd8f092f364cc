import { mayBeUnknownYet } from '../../client/platform/opened-payment.ts';
import { holdsMoney } from '../../client/platform/payment-money.ts';
import { clockSkewMs, mergeObservation, type Observed } from './merge.ts';
import { reportedAmount } from './money.ts';
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

/** Merges a response of the service about one of the order's payments. */
export function observe(order: Order, reference: string, response: ServiceResponse): Observed<Order> {
  const known = findPayment(order, reference);
  // The account is recorded first: the service's response with it is under way.
  if (known === undefined || known.state === 'opening') return { record: order, ignored: null };
  const { record: payment, ignored } = observePayment(known, response, reportedAmount(order, reference));
  const isSame = payment.observed === known.observed && payment.opened === known.opened;
  if (isSame && known.missingSince === null) return { record: order, ignored };
  return { record: withPayment(order, payment), ignored };
}

function observePayment(
  known: KnownPayment,
  response: ServiceResponse,
  reported: number,
): Observed<KnownPayment> {
  const found = { ...known, missingSince: null };
  const payment = isShown(found) ? adoptPayment(found, response, reported) : found;
  if (!isSamePayment(payment, response)) return { record: payment, ignored: 'otherPayment' };
  const next = toObservation(response, payment.observed);
  // A payment without money is not recorded if nobody has seen its account. A link in an e-mail can still bring money.
  if (payment.opened === null && payment.observed === null && !holdsMoney(next)) {
    return { record: payment, ignored: null };
  }
  const { record: observed, ignored } = mergeObservation(payment.observed, next, payment.amount);
  return { record: { ...payment, observed }, ignored };
}

/** Whether a response describes this payment: reference and currency; and id and mode, where they are known. */
const isSamePayment = ({ reference, amount, opened }: KnownPayment, response: ServiceResponse): boolean =>
  response.reference === reference &&
  response.currency === amount.currency &&
  (opened === null || (response.paymentId === opened.paymentId && response.liveMode === opened.liveMode));

/**
 * Returns a link's payment with the identity of the payment that opening the page created. A response that names another payment is
 * ignored the first time; when that payment is named again, it is adopted, unless known money would be forgotten.
 */
function adoptPayment(payment: ShownPayment, response: ServiceResponse, reported: number): ShownPayment {
  const { paymentId, reference, currency, liveMode } = response;
  const { opened, observed, amount } = payment;
  if (opened.kind !== 'link' || paymentId === opened.paymentId) return payment;
  const { other: named, ...link } = opened;
  // A mode that the service has stated is kept; and a test payment never becomes a live one.
  const isModeRight =
    link.liveMode === liveMode || (link.isModeAssumed === true && link.paymentId === null && !liveMode);
  if (reference !== payment.reference || currency !== amount.currency || !isModeRight) return payment;
  const known = named?.paymentId === paymentId ? named.observed : null;
  const { record: other } = mergeObservation(known, toObservation(response, known), amount);
  const isFirst = link.paymentId !== null && known === null;
  if (isFirst || (observed !== null && forgetsMoney(observed, other, reported))) {
    if (other === known) return payment;
    return { ...payment, opened: { ...link, other: { paymentId, observed: other } } };
  }
  // What was known is about the previous payment, or was an expiry of our own.
  const { record: adopted } = mergeObservation(observed && afterPayment(observed), other, amount);
  return { ...payment, opened: { ...link, paymentId, liveMode }, observed: adopted };
}

/**
 * Whether adopting another payment of a link would give up money, or go back to the one whose money was taken back.
 *
 * @param reported the confirmed money that was reported to the merchant
 */
function forgetsMoney(known: Observation, next: Observation, reported: number): boolean {
  if (holdsMoney(known) && (reported > 0 || !holdsMoney(next))) return true;
  const { lostAt } = known;
  return lostAt !== undefined && Date.parse(next.updatedAt) - Date.parse(lostAt) <= clockSkewMs;
}

/** What remains known for the next payment of a link: when money was taken back, which late nodes may not know yet. */
const afterPayment = ({ expectedAmount, reversedAt, lostAt }: Observation): Observation | null =>
  lostAt === undefined
    ? null
    : {
        status: 'initiated',
        chargedAmount: 0,
        expectedAmount,
        updatedAt: lostAt,
        lostAt,
        ...(reversedAt !== undefined && { reversedAt }),
      };

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
  if (mayBeUnknownYet(payment.opened, serviceNow)) return null;
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
