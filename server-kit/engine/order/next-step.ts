import type { Money, PaymentPreference } from '../../../src/contract/index.ts';
import { countsForOrder, decidingPayment, isLostLive, isLostTest } from './money.ts';
import {
  isSameAmount,
  type Lease,
  type OpeningPayment,
  type Order,
  type Payment,
  type ShownPayment,
  withPayment,
} from './record.ts';

/** A request for the session of an order, and what a new payment would be made with. */
export type SessionRequest = {
  /** What the order costs now. */
  amount: Money;
  /** The references that the page names, because its browser has stored them; of any order, and not trusted. */
  named: ReadonlySet<string>;
  preference: PaymentPreference | undefined;
  /** The reference and the lease of a new payment. */
  reference: string;
  lease: Lease;
};

/** What this request knows so far. */
export type Facts = {
  /** The payments that were verified for this request, or for which the service did not respond in time. */
  tried: ReadonlySet<string>;
  /** The payments about which the service has said something since this request began. An ignored response is not evidence. */
  verified: ReadonlySet<string>;
  /** The store's clock, which leases run on; in milliseconds. */
  storeNow: number;
  /** The service's clock, which accounts expire on; in milliseconds. */
  serviceNow: number;
};

/**
 * - `show`: respond with this payment
 * - `verify`: ask the service about these payments. Where that is needed for a decision, a failure ends the request; otherwise a
 *   shopper whose account is known waits for it a few seconds at most
 * - `wait`: another request opens the payment of this reference
 * - `open`: write this order, which holds the lease, and then call the service for the payment of this reference. `mayExist`: an
 *   earlier call may have created it
 * - `refuse`: the page prefers an existing payment, and names none of the order
 */
export type Step =
  | { name: 'show'; payment: ShownPayment }
  | { name: 'verify'; references: readonly string[]; isForDecision: boolean }
  | { name: 'wait'; reference: string }
  | { name: 'open'; order: Order; reference: string; mayExist: boolean }
  | { name: 'refuse' };

/**
 * Decides what a request for a session does next; the caller does it, and asks again.
 *
 * Another account is opened only if no payment of the order may hold money, by a verification made for this decision, and none can
 * still be paid: each has expired, has failed, asks for another amount than the order costs now, or is a test payment that the service
 * has lost. Payments of the last two kinds are then replaced: late money must not pay the order at an old price. A live payment that the
 * service has lost is kept.
 */
export function nextStep(order: Order, request: SessionRequest, facts: Facts): Step {
  const isNamed = ({ reference }: Payment): boolean => request.named.has(reference);
  if (request.preference === 'existing' && !order.payments.some(isNamed)) return { name: 'refuse' };
  const own = order.payments.filter(countsForOrder);
  const untried = own.filter(({ reference }) => !facts.tried.has(reference));
  if (untried.length > 0) return verify(untried, false);
  const named = request.preference === 'new' ? [] : own.filter(isNamed);
  const deciding = decidingPayment(order);
  if (deciding !== undefined) return { name: 'show', payment: named.at(-1) ?? deciding };
  // A reload shows the stored payment again, also an expired one: another account needs the shopper's request.
  const again = named.findLast((payment) => isStillRight(payment, request));
  if (again !== undefined) return { name: 'show', payment: again };
  if (request.preference === 'existing') return { name: 'refuse' };
  const opening = findOpening(order);
  if (opening !== undefined && leaseLeftMs(opening.lease, facts.storeNow) > 0) {
    return { name: 'wait', reference: opening.reference };
  }
  const latest = own.at(-1);
  if (latest !== undefined && isPayable(latest, request, facts)) return { name: 'show', payment: latest };
  const lost = own.findLast(isLostLive);
  if (lost !== undefined) return { name: 'show', payment: lost };
  const doubtful = own.filter(({ reference }) => !facts.verified.has(reference));
  return doubtful.length > 0 ? verify(doubtful, true) : open(order, request, facts);
}

const verify = (payments: readonly Payment[], isForDecision: boolean): Step => ({
  name: 'verify',
  references: payments.map(({ reference }) => reference),
  isForDecision,
});

const findOpening = ({ payments }: Order): OpeningPayment | undefined =>
  payments.find((payment): payment is OpeningPayment => payment.state === 'opening');

const isStillRight = (payment: ShownPayment, { amount }: SessionRequest): boolean =>
  !isLostTest(payment) && isSameAmount(payment.amount, amount);

/** Whether the shopper can pay this payment now, as far as the service has said. */
function isPayable(payment: ShownPayment, request: SessionRequest, { verified, serviceNow }: Facts): boolean {
  const { observed, opened, reference } = payment;
  const isOver = observed !== null && ['expired', 'failed', 'reversed'].includes(observed.status);
  // Past its expiry, an account may be recorded as open until it is verified.
  const isCurrent = Date.parse(opened.expiresAt) > serviceNow || verified.has(reference);
  return !isOver && isCurrent && isStillRight(payment, request);
}

function open(order: Order, request: SessionRequest, { serviceNow }: Facts): Step {
  const { amount, lease, reference } = request;
  const closed = { ...order, payments: order.payments.map((payment) => closeOutdated(payment, amount)) };
  const left = findOpening(closed);
  if (left !== undefined) {
    const mayExist = left.lease.isRefused !== true;
    return {
      name: 'open',
      order: withPayment(closed, { ...left, lease }),
      reference: left.reference,
      mayExist,
    };
  }
  const createdAt = new Date(serviceNow).toISOString();
  const opening: OpeningPayment = { state: 'opening', lease, reference, amount, createdAt };
  const opened = { ...closed, payments: [...closed.payments, opening] };
  return { name: 'open', order: opened, reference, mayExist: false };
}

/** Detaches a payment from its order if it cannot be paid at this price. */
function closeOutdated(payment: Payment, amount: Money): Payment {
  const isOutdated = !isSameAmount(payment.amount, amount);
  if (payment.state === 'open')
    return isOutdated || isLostTest(payment) ? { ...payment, state: 'closed' } : payment;
  return payment.state === 'opening' && isOutdated ? closeUnseen(payment) : payment;
}

/** How long an instance may take to open a payment. Requests finish sooner. */
export const openingLeaseMs = 15_000;

/** Returns the time until a lease ends; it is negative once it has. */
const leaseLeftMs = ({ endsAtMs }: Lease, storeNow: number): number => endsAtMs - storeNow;

/** Long enough for a page that tries again to find the payment: otherwise each of its requests in an outage would leave another one. */
const abandonedAfterMs = 60_000;

/** Returns the time until a payment that nobody opens any more is closed, on the store's clock. */
export const closesAfterMs = ({ lease }: OpeningPayment, storeNow: number): number =>
  Math.max(leaseLeftMs(lease, storeNow) + abandonedAfterMs, 0);

/** Closes the payment that a crash, or a request that failed, has left behind. The same object if there is none. */
export function closeAbandoned(order: Order, storeNow: number): Order {
  const opening = findOpening(order);
  return opening === undefined || closesAfterMs(opening, storeNow) > 0
    ? order
    : withPayment(order, closeUnseen(opening));
}

/** Closes a payment whose account nobody has seen: its response was lost, or its instance is gone. */
export const closeUnseen = ({ lease: _, ...common }: OpeningPayment): Payment => ({
  ...common,
  state: 'closed',
  opened: null,
  observed: null,
  missingSince: null,
});
