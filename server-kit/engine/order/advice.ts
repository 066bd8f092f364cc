import type { Money } from '../../../src/contract/index.ts';
import { holdsMoney } from '../../core/payment.ts';
import type { OrderOutcome } from './event.ts';
import {
  countsForOrder,
  holdsUnconfirmed,
  isLostLive,
  isLostTest,
  isMissing,
  keptMoney,
  lateConfirmationMs,
  reportedAmount,
} from './money.ts';
import { isShown, type Order, type ShownPayment } from './record.ts';

/** What a support person must know besides the record. */
export type AdviceFacts = {
  /** The service's clock. */
  now: number;
  /** Whether the service was asked just now, and responded. */
  isAsked: boolean;
  /** The events that the shop has not taken. `failure`: why; `null` for a new one, and, with `isParked`, where it has no handler. */
  untaken: readonly { outcome: OrderOutcome; failure: string | null; isParked: boolean }[];
  formatMoney: (money: Money) => string;
  /** Formats a time of the service: ISO 8601 in UTC. */
  formatTime: (iso: string) => string;
};

/** The situation of an order, as a support person sees it. */
export const situations = [
  'paid',
  'paidUntaken',
  'overpaid',
  'reversed',
  'confirming',
  'confirmationLate',
  'partOpen',
  'tooLittle',
  'oldAccount',
  'failedWithMoney',
  'otherPayment',
  'unknown',
  'lost',
  'lostTest',
  'nothing',
  'expired',
  'failed',
  'takenBack',
  'linkUnopened',
  'noAccount',
  'noted',
] as const;
export type Situation = (typeof situations)[number];

/** `amount`: the money that it is about; `null` for none. `sentence`: what to do. */
export type Advice = { situation: Situation; amount: Money | null; sentence: string };

const say = (situation: Situation, sentence: string, amount: Money | null = null): Advice => ({
  situation,
  amount,
  sentence,
});

/** Decides what a support person does about an order: one sentence. Only for a paid order, the record may be old. */
export function adviseOn(order: Order, facts: AdviceFacts): Advice {
  const shown = order.payments.filter(isShown);
  const advice =
    adviseOnPaid(order, facts) ??
    adviseOnMissing(shown.filter(countsForOrder), facts) ??
    adviseOnOther(shown, facts) ??
    adviseOnUnconfirmed(shown.filter(countsForOrder), facts) ??
    adviseOnConfirmed(order, facts) ??
    adviseOnNothing(shown.findLast(countsForOrder) ?? shown.at(-1), facts);
  const note = order.notes?.at(-1);
  if (note?.events !== order.reported.events || !forPerson.includes(advice.situation)) return advice;
  const sentence = `Nothing more: on ${facts.formatTime(note.at)} it was noted “${note.text}”.`;
  return say('noted', sentence);
}

/** The situations that only a person can end; a note of theirs ends them. */
const forPerson: readonly Situation[] = [
  'reversed',
  'overpaid',
  'tooLittle',
  'oldAccount',
  'failedWithMoney',
  'otherPayment',
  'lost',
];

const plain: AdviceFacts = { now: 0, isAsked: true, untaken: [], formatMoney: String, formatTime: String };

/** Whether a person must do something about an order, however late it is. */
export const needsPerson = (order: Order): boolean => forPerson.includes(adviseOn(order, plain).situation);

function adviseOnPaid(order: Order, facts: AdviceFacts): Advice | undefined {
  const { paid } = order.reported;
  const price = order.payments.find(({ reference }) => reference === paid?.by)?.amount;
  if (paid === null || price === undefined) return undefined;
  const { formatMoney, formatTime } = facts;
  const kept = keptMoney(order, price.currency);
  if (paid.isReversed) {
    const since = kept.value > 0 ? ` ${formatMoney(kept)} has come since: return it.` : '';
    const sentence = `${formatMoney({ ...price, value: paid.amount })} was paid at ${formatTime(paid.at)} and taken back later: stop the delivery; the customer can buy it again as a new order.${since}`;
    return say('reversed', sentence, price);
  }
  const isPaid = `Paid in full at ${formatTime(paid.at)}.`;
  const untaken = facts.untaken.find(({ outcome }) => outcome === 'paid');
  const isNew = untaken?.failure === null && !untaken.isParked;
  if (untaken !== undefined && !isNew) {
    const why = untaken.failure?.replace(/\.$/, '') ?? 'it has no handler for it';
    const sentence = `${isPaid} Your shop has not taken the news (${why}): have that mended, and it is sent again; the customer owes nothing.`;
    return say('paidUntaken', sentence, price);
  }
  const excess = { ...price, value: kept.value - price.value };
  if (excess.value > 0)
    return say('overpaid', `${isPaid} ${formatMoney(excess)} too much came: return it.`, excess);
  const told = isNew
    ? 'Your shop is being told now: look again in a minute.'
    : 'Your shop has been told: if the order page says anything else, the page is wrong.';
  return adviseOnOther(order.payments.filter(isShown), facts) ?? say('paid', `${isPaid} ${told}`);
}

function adviseOnMissing(payments: readonly ShownPayment[], { isAsked }: AdviceFacts): Advice | undefined {
  const lost = payments.findLast(isMissing);
  if (lost && isLostLive(lost))
    return say(
      'lost',
      `The payments service no longer knows ${lost.reference}: ask the service about it; the customer must not pay again.`,
      lost.amount,
    );
  if (!isAsked)
    return say(
      'unknown',
      'The payments service did not respond, so this may be out of date: look again in a minute, before you tell the customer anything.',
    );
  if (lost && isLostTest(lost))
    return say(
      'lostTest',
      'The payments service no longer knows this test payment: open the payment page again for another account.',
    );
  return undefined;
}

/** The money on a payment in whose place the service has named another one since. */
function adviseOnOther(payments: readonly ShownPayment[], { formatMoney }: AdviceFacts): Advice | undefined {
  const isReplaced = ({ otherId, opened }: ShownPayment) =>
    otherId !== undefined && otherId !== opened.paymentId;
  const payment = payments.findLast((one) => isReplaced(one) && one.observed && holdsMoney(one.observed));
  if (!payment?.observed) return undefined;
  const { reference, otherId, amount, observed } = payment;
  const came = { ...amount, value: observed.chargedAmount };
  const text = came.value === 0 ? 'Money' : formatMoney(came);
  return say(
    'otherPayment',
    `${text} came for ${reference}, but the payments service now names another payment for it, ${otherId}: ask the service which of the two is right; the customer must not pay again.`,
    came,
  );
}

/** The money that the service has neither confirmed nor given back. */
function adviseOnUnconfirmed(payments: readonly ShownPayment[], facts: AdviceFacts): Advice | undefined {
  const { now, formatMoney, formatTime } = facts;
  const held = payments.findLast((one) => one.observed !== null && holdsUnconfirmed(one.observed));
  if (!held?.observed) return undefined;
  const { amount: price, reference, opened } = held;
  const { status, chargedAmount, confirmingSince, updatedAt } = held.observed;
  const came = { ...price, value: chargedAmount };
  const isPart = chargedAmount > 0 && chargedAmount < price.value;
  const text = chargedAmount === 0 ? 'Money' : isPart ? partOf(came, price, facts) : formatMoney(came);
  if (status === 'failed')
    return say(
      'failedWithMoney',
      `The payment failed with ${text} on it: ask the payments service about ${reference}; the customer must not pay again.`,
      came,
    );
  if (isPart && Date.parse(opened.expiresAt) > now) {
    const rest = formatMoney({ ...price, value: price.value - chargedAmount });
    return say(
      'partOpen',
      `${text} came: ask the customer to send the other ${rest} to the same account before ${formatTime(opened.expiresAt)}.`,
      came,
    );
  }
  const since = confirmingSince ?? updatedAt;
  const arrived = `${text} arrived at ${formatTime(since)}`;
  if (now - Date.parse(since) < lateConfirmationMs)
    return say(
      'confirming',
      `${arrived} and is being confirmed: ask the customer to wait a few minutes, and not to pay again.`,
      came,
    );
  return say(
    'confirmationLate',
    `${arrived}, and the payments service has not confirmed it: ask the service about ${reference}; the customer must not pay again.`,
    came,
  );
}

/** The confirmed money of an order that it has not paid. */
function adviseOnConfirmed(order: Order, facts: AdviceFacts): Advice | undefined {
  const funded = order.payments.filter(({ reference }) => reportedAmount(order, reference) > 0);
  const payment = funded.findLast(countsForOrder) ?? funded.at(-1);
  if (payment === undefined) return undefined;
  const amount = keptMoney(order, payment.amount.currency);
  if (!countsForOrder(payment)) {
    const sentence = `${facts.formatMoney(amount)} came to an old account of this order, and does not pay it: return it.`;
    return say('oldAccount', sentence, amount);
  }
  const sentence = `${partOf(amount, payment.amount, facts)} came: ask for the rest (the same account still counts), or return it.`;
  return say('tooLittle', sentence, amount);
}

const sessionId = 'ask for the transfer’s session id and the bank';

function adviseOnNothing(payment: ShownPayment | undefined, { now, formatTime }: AdviceFacts): Advice {
  if (payment === undefined)
    return say(
      'noAccount',
      'No account has been shown for this order: ask the customer to open the payment page again.',
    );
  const { observed, opened } = payment;
  if (observed?.status === 'reversed')
    return say(
      'takenBack',
      `What came was taken back at ${formatTime(observed.updatedAt)}: the customer’s bank has the money, and the customer can pay again.`,
    );
  if (observed?.status === 'failed')
    return say(
      'failed',
      `The payment failed, and no money came: if the customer has sent it, ${sessionId}; otherwise the payment page offers another account.`,
    );
  if (opened.kind === 'link' && opened.paymentId === null)
    return say(
      'linkUnopened',
      'The customer has not opened the page to pay on, so nothing came: send the link again.',
    );
  if (observed?.status === 'expired' || Date.parse(opened.expiresAt) <= now)
    return say(
      'expired',
      `Nothing has come to this account, which closed at ${formatTime(opened.expiresAt)}, or it was returned: if the customer has sent it, ${sessionId}, and compare the amount; money that comes within 7 days still pays the order.`,
    );
  return say(
    'nothing',
    `Nothing has come to this account, or it was returned: ${sessionId}, and compare the account number and the amount in the customer’s receipt.`,
  );
}

const partOf = (part: Money, whole: Money, { formatMoney }: AdviceFacts): string =>
  `${formatMoney(part)} of ${formatMoney(whole)}`;
