import { type IgnoredReason, mergeObservation } from './merge.ts';
import { holdsMoney } from './money.ts';
import {
  findPayment,
  isShown,
  type Observation,
  type OpenedLink,
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
 * ignored the first time; if the next response names that payment again, it is adopted.
 */
function adoptPayment(payment: ShownPayment, response: ServiceResponse): ShownPayment {
  const { paymentId, liveMode } = response;
  const { opened, observed } = payment;
  if (opened.kind !== 'link') return payment;
  const { otherPaymentId, ...link } = opened;
  if (paymentId === link.paymentId) {
    return otherPaymentId === undefined ? payment : { ...payment, opened: link };
  }
  // Money that is known is not given up for a payment without.
  const isKept =
    observed?.confirmedAt !== undefined ||
    (observed !== null && holdsMoney(observed) && !holdsMoney(toObservation(response, null)));
  if (link.paymentId !== null && (otherPaymentId !== paymentId || isKept)) {
    return otherPaymentId === paymentId
      ? payment
      : { ...payment, opened: { ...link, otherPaymentId: paymentId } };
  }
  // A mode that the service has stated is kept; and a test payment never becomes a live one.
  const isAssumed = link.paymentId === null && link.isModeAssumed === true;
  const mode = isAssumed ? link.liveMode && liveMode : link.liveMode;
  const adopted: OpenedLink = { ...link, paymentId, liveMode: mode };
  // What is known concerns the payment of before, or was an expiry of our own.
  return { ...payment, opened: adopted, observed: null };
}

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
