import { isWhole } from '../../core/payment.ts';
import type { Movement, NewEvent, OrderOutcome, UnexpectedReason } from './event.ts';
import { confirmedAmount, countsForOrder, isEmptied, reportedAmount } from './money.ts';
import {
  type Ending,
  isShown,
  type KnownPayment,
  type Observation,
  type Order,
  observationOf,
  type Payment,
  type Reported,
} from './record.ts';

type ObservedPayment = KnownPayment & { observed: Observation };

/**
 * Compares what the service has confirmed with what the merchant was notified of. Returns the events that are missing, and the record
 * that counts them: both are written together. Nothing is reported before the service confirms it, and each later movement of confirmed
 * money is; docs/server/guarantees.md has the table.
 */
export function report(order: Order): { record: Order; events: NewEvent[] } {
  let current = order;
  const events: NewEvent[] = [];
  for (const payment of order.payments.filter(isObserved)) {
    for (
      let next = nextMovement(current, payment);
      next !== undefined;
      next = nextMovement(current, payment)
    ) {
      events.push(toEvent(current, payment, next));
      current = { ...current, reported: count(current.reported, payment, next) };
    }
  }
  return { record: current, events };
}

const isObserved = (payment: Payment): payment is ObservedPayment => observationOf(payment) !== null;

function nextMovement(order: Order, payment: ObservedPayment): Movement | undefined {
  const { reported } = order;
  const { observed, reference } = payment;
  const ending = endingOf(observed);
  const isReportable = countsForOrder(payment) && reported.paid === null;
  if (ending !== null && isReportable && !reported.ended.includes(ending))
    return { outcome: ending, amount: 0 };
  if (payment.otherId !== undefined && !reported.others?.includes(reference))
    return { outcome: 'otherPayment', amount: 0 };
  const known = reportedAmount(order, reference);
  // A lower amount is a matter of fees.
  if (isEmptied(observed)) return takenBack(reported, payment, known);
  const amount = Math.max(0, (confirmedAmount(observed) ?? 0) - known);
  // Also where all of it was reported before, as too little.
  if (isReportable && isWhole(observed, payment.amount))
    return { outcome: 'paid', amount, isLate: isConfirmedLate(payment) };
  return amount > 0 ? received(reported, payment, amount) : undefined;
}

const endingOf = ({ status }: Observation): Ending | null =>
  status === 'expired' || status === 'failed' ? status : null;

function received({ paid, mismatch }: Reported, payment: ObservedPayment, amount: number): Movement {
  const unexpected = (reason: UnexpectedReason): Movement => ({ outcome: 'unexpectedMoney', amount, reason });
  if (!countsForOrder(payment)) return unexpected('replacedAccount');
  if (paid !== null) {
    if (paid.by !== payment.reference) return unexpected('orderPaid');
    return unexpected(paid.isReversed ? 'afterReversal' : 'surplus');
  }
  const isFirstMismatch = payment.observed.status === 'succeeded' && mismatch === null;
  return isFirstMismatch ? { outcome: 'amountMismatch', amount } : unexpected('tooLittle');
}

/** The order's own money is `reversed`; that of another payment must not look like it, for the order may be paid. */
function takenBack(
  { paid, mismatch }: Reported,
  { reference, observed }: ObservedPayment,
  amount: number,
): Movement | undefined {
  const isPaid = paid?.by === reference && !paid.isReversed;
  // Only a reversal takes back what has paid.
  if (amount === 0 || (isPaid && observed.status !== 'reversed')) return undefined;
  const isMismatch = paid === null && mismatch?.of === reference && !mismatch.isReversed;
  return { outcome: isPaid || isMismatch ? 'reversed' : 'unexpectedMoneyReversed', amount };
}

function toEvent({ orderId, reported }: Order, { reference }: ObservedPayment, movement: Movement): NewEvent {
  const { outcome } = movement;
  const key = [orderId, outcome, ...keyPartsOf(reported, reference, outcome)].join(':');
  return { key, orderId, position: reported.events, reference, ...movement };
}

const isConfirmedLate = (payment: ObservedPayment): boolean =>
  isShown(payment) && Date.parse(payment.observed.updatedAt) > Date.parse(payment.opened.expiresAt);

/** What makes the key unique, besides order and outcome. */
function keyPartsOf(reported: Reported, reference: string, outcome: OrderOutcome): (string | number)[] {
  switch (outcome) {
    case 'unexpectedMoney':
    case 'unexpectedMoneyReversed':
      return [reference, movementsOf(reported, reference) + 1];
    case 'otherPayment':
      return [reference];
    case 'reversed':
      return reported.paid === null ? [reference] : [];
    default:
      return [];
  }
}

const movementsOf = ({ money }: Reported, reference: string): number => money[reference]?.movements ?? 0;

function count(reported: Reported, payment: ObservedPayment, movement: Movement): Reported {
  const { reference, observed } = payment;
  const { paid, mismatch, ended } = reported;
  const { outcome } = movement;
  const counted = { ...reported, events: reported.events + 1, money: move(reported, reference, movement) };
  switch (outcome) {
    case 'expired':
    case 'failed':
      return { ...counted, ended: [...ended, outcome] };
    case 'paid': {
      const { updatedAt: at, chargedAmount: amount } = observed;
      return { ...counted, paid: { by: reference, at, amount, isReversed: false } };
    }
    case 'otherPayment':
      return { ...counted, others: [...(reported.others ?? []), reference] };
    case 'amountMismatch':
      return { ...counted, mismatch: { of: reference, isReversed: false } };
    case 'reversed':
      return paid === null
        ? { ...counted, mismatch: mismatch && { ...mismatch, isReversed: true } }
        : { ...counted, paid: { ...paid, isReversed: true } };
    default:
      return counted;
  }
}

function move({ money }: Reported, reference: string, { outcome, amount }: Movement): Reported['money'] {
  const { amount: before, movements } = money[reference] ?? { amount: 0, movements: 0 };
  const isReversal = outcome === 'reversed' || outcome === 'unexpectedMoneyReversed';
  const isNumbered = outcome === 'unexpectedMoney' || outcome === 'unexpectedMoneyReversed';
  if (amount === 0) return money;
  const after = {
    amount: before + (isReversal ? -amount : amount),
    movements: movements + (isNumbered ? 1 : 0),
  };
  return { ...money, [reference]: after };
}
