import type { Payment as ServicePayment } from '../../core/endpoints.ts';
import { holdsMoney, isWhole, mayBeUnknownYet } from '../../core/payment.ts';
import { mergeObservation, type Observed } from './merge.ts';
import { reportedAmount } from './money.ts';
import {
  findPayment,
  isShown,
  type KnownPayment,
  type Observation,
  type Opened,
  type Order,
  type ShownPayment,
  withPayment,
} from './record.ts';

/** What the service says of a payment, reduced to what an order is decided by. */
export type ServiceResponse = {
  paymentId: string;
  reference: string;
  currency: string;
  liveMode: boolean;
  status: string;
  /** What the shopper sent, in minor units, whichever way the service counts its fees; `null` if no amount is named. */
  chargedAmount: number | null;
  expectedAmount: number;
  updatedAt: string;
};

/** Reads a response of verify or retrieve. */
export function readResponse(payment: ServicePayment): ServiceResponse {
  const { id: paymentId, reference, currency, liveMode, status, ...amounts } = payment;
  const { chargedAmount, expectedAmount, updatedAt } = amounts;
  return { paymentId, reference, currency, liveMode, status, chargedAmount, expectedAmount, updatedAt };
}

/**
 * Returns the response as an observation, before it is merged. One without an amount says nothing new of known money, unless that was
 * reversed; and it confirms none, so that `succeeded` counts as `charged`.
 */
export function toObservation(response: ServiceResponse, known: Observation | null): Observation {
  const { status, chargedAmount, expectedAmount, updatedAt } = response;
  if (chargedAmount !== null) return { status, chargedAmount, expectedAmount, updatedAt };
  const money = known !== null && holdsMoney(known) ? known : null;
  if (money !== null && status !== 'reversed') return money;
  return {
    status: status === 'succeeded' ? 'charged' : status,
    chargedAmount: money?.chargedAmount ?? 0,
    expectedAmount,
    updatedAt,
  };
}

/** Merges a response of the service about one of the order's payments. */
export function observe(order: Order, reference: string, response: ServiceResponse): Observed<Order> {
  const known = findPayment(order, reference);
  // The account is recorded first: the service's response with it is under way.
  if (known === undefined || known.state === 'opening') return { record: order, ignored: null };
  const reported = reportedAmount(order, reference);
  const { record: payment, ignored } = observePayment({ ...known, missingSince: null }, response, reported);
  const isSame = payment.observed === known.observed && payment.otherId === known.otherId;
  if (isSame && known.missingSince === null) return { record: order, ignored };
  return { record: withPayment(order, payment), ignored };
}

function observePayment(
  payment: KnownPayment,
  response: ServiceResponse,
  reported: number,
): Observed<KnownPayment> {
  const { opened, amount } = payment;
  // An expiry of our own says nothing about the payment that the page of a link has made since.
  const observed = opened?.paymentId === null ? null : payment.observed;
  const next = toObservation(response, observed);
  if (!isSamePayment(payment, response)) return { record: payment, ignored: 'otherPayment' };
  if (isOtherId(opened, response) && !outweighs(next, payment, reported))
    return { record: noteOther(payment, response.paymentId), ignored: 'otherPayment' };
  // A payment without money is not recorded if nobody has seen its account. A link in an e-mail can still bring money.
  if (opened === null && observed === null && !holdsMoney(next)) return { record: payment, ignored: null };
  const { record, ignored } = mergeObservation(observed, next, amount);
  if (ignored !== null) return { record: payment, ignored };
  return {
    record: { ...payment, observed: record, opened: identify(opened, response) } as KnownPayment,
    ignored,
  };
}

/** Whether a response describes this payment: the reference is its identity, with currency and mode. */
const isSamePayment = ({ reference, amount, opened }: KnownPayment, response: ServiceResponse): boolean =>
  response.reference === reference &&
  response.currency === amount.currency &&
  (opened === null || opened.liveMode === response.liveMode || mayBeTest(opened, response));

/** The mode of a link may be an assumption. A test payment never becomes a live one. */
const mayBeTest = (opened: Opened, { liveMode }: ServiceResponse): boolean =>
  !liveMode && opened.kind === 'link' && opened.isModeAssumed === true && opened.paymentId === null;

/** Whether a response has another id than the last one: opening the page of a link again makes another payment. */
const isOtherId = (opened: Opened | null, { paymentId }: ServiceResponse): boolean =>
  typeof opened?.paymentId === 'string' && opened.paymentId !== paymentId;

/**
 * Whether another payment takes the place of the known one: if it pays the order, or is newer and has as much money. Where money on the known
 * one was reported, only if it is newer and pays the order.
 */
function outweighs(next: Observation, { observed, amount }: KnownPayment, reported: number): boolean {
  if (observed === null) return true;
  const isPaying = isWhole(next, amount) && !isWhole(observed, amount);
  const isNewer = Date.parse(next.updatedAt) > Date.parse(observed.updatedAt);
  if (!holdsMoney(observed)) return isPaying || isNewer;
  return reported > 0
    ? isPaying && isNewer
    : isPaying || (isNewer && next.chargedAmount >= observed.chargedAmount);
}

/** Money that was seen stays; a person must find out about the other payment. */
const noteOther = (payment: KnownPayment, otherId: string): KnownPayment =>
  payment.observed !== null && holdsMoney(payment.observed) ? { ...payment, otherId } : payment;

/** Returns the account or link with the id and the mode that the service says. */
const identify = (opened: Opened | null, { paymentId, liveMode }: ServiceResponse): Opened | null =>
  opened && { ...opened, paymentId, liveMode };

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
export const isUnopenedLink = ({ opened }: ShownPayment): boolean => opened.paymentId === null;

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
