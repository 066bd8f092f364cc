import type { PaymentView } from '../../../src/contract/index.ts';
import { escapeControls } from '../../core/errors.ts';
import { adviseOn, type Situation } from '../order/advice.ts';
import type { OrderOutcome } from '../order/event.ts';
import { isShown, type Note, type Order, observationOf } from '../order/record.ts';
import { viewPayment } from '../order/view.ts';
import type { FoundOrder } from '../store.ts';
import { formatMoney, formatTimeIn } from './status.ts';

/** One order, for a support person: nothing secret, and nothing about the customer. Amounts in minor units, times in UTC. */
export type OrderReport = {
  orderId: string;
  situation: Situation;
  /** One sentence: what to do. Its times are in `timeZone`. */
  whatToDo: string;
  /** Whether the shop must return money, by a transfer of its own. */
  mustReturn: boolean;
  /** Whether the payments service responded about each payment just now. */
  isAsked: boolean;
  /** `changedAt`: the date of what the service said last; `null` for nothing. */
  payments: (PaymentView & { changedAt: string | null })[];
  /** What the shop was notified of. `failure`: why it has not taken it; `null` where it has no handler. */
  notified: { outcome: OrderOutcome; isTaken: boolean; failure?: string | null; tries?: number }[];
  notes: readonly Note[];
  /** Other open orders with one of its account numbers. */
  sharedWith: string[];
  timeZone: string;
};

/** The situations in which the shop must return money. */
const returning: readonly Situation[] = ['overpaid', 'tooLittle', 'oldAccount'];

type Facts = Pick<OrderReport, 'isAsked' | 'sharedWith' | 'timeZone'> & { now: number };

/** Returns the report of an order. `now`: the service's clock. */
export function toReport({ record, events }: FoundOrder, { now, ...facts }: Facts): OrderReport {
  const formatTime = formatTimeIn(facts.timeZone);
  const advice = adviseOn(record, { now, isAsked: facts.isAsked, untaken: events, formatMoney, formatTime });
  const isUntaken = (outcome: OrderOutcome): boolean => events.some((event) => event.outcome === outcome);
  const taken = outcomesOf(record).filter((outcome) => !isUntaken(outcome));
  return {
    orderId: record.orderId,
    situation: advice.situation,
    whatToDo: advice.sentence,
    mustReturn: returning.includes(advice.situation),
    payments: record.payments.filter(isShown).map((payment) => ({
      ...viewPayment(record, payment),
      changedAt: observationOf(payment)?.updatedAt ?? null,
    })),
    notified: [
      ...taken.map((outcome) => ({ outcome, isTaken: true })),
      ...events.map(({ outcome, failure, token }) => ({ outcome, isTaken: false, failure, tries: token })),
    ],
    notes: record.notes ?? [],
    ...facts,
  };
}

/** Returns the outcomes that were reported. An ending before the order was paid may have been withdrawn. */
function outcomesOf({ reported: { ended, mismatch, paid, others, money } }: Order): OrderOutcome[] {
  const isReversed = paid?.isReversed ?? mismatch?.isReversed ?? false;
  const isUnexpected = Object.values(money).some(({ movements }) => movements > 0);
  return [
    ...(paid === null ? ended : []),
    ...(mismatch === null ? [] : (['amountMismatch'] as const)),
    ...(paid === null ? [] : (['paid'] as const)),
    ...(isReversed ? (['reversed'] as const) : []),
    ...(others === undefined ? [] : (['otherPayment'] as const)),
    ...(isUnexpected ? (['unexpectedMoney'] as const) : []),
  ];
}

/** The outcomes, in words. */
const outcomeNames = {
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  reversed: 'money taken back',
  amountMismatch: 'too little came',
  unexpectedMoney: 'money that the order does not need',
  unexpectedMoneyReversed: 'such money taken back',
  otherPayment: 'another payment was named',
} as const;

export function toOrderText(report: OrderReport): string {
  const { orderId, payments, notified, notes, sharedWith, timeZone, isAsked } = report;
  const formatTime = formatTimeIn(timeZone);
  const lines = [
    `Order ${orderId}`,
    '',
    `What to do: ${report.whatToDo}`,
    ...(report.mustReturn ? [howToReturn(orderId)] : []),
    ...(sharedWith.length > 0
      ? [`Its account number is also that of order ${sharedWith.join(', ')}: tell your developers.`]
      : []),
    ...payments.flatMap((payment) => ['', ...toPaymentLines(payment, formatTime)]),
    '',
    notified.length === 0 ? 'Your shop has not been told anything yet.' : 'Your shop was told:',
    ...notified.map((one) => `  ${outcomeNames[one.outcome]}: ${one.isTaken ? 'taken' : notTaken(one)}`),
    ...(notes.length > 0 ? ['', 'Notes:'] : []),
    ...notes.map(({ at, text }) => `  ${formatTime(at)}  ${text}`),
    '',
    `The payments service was asked${isAsked ? ' just now' : ', but did not respond'}. Times are in ${timeZone}.`,
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
}

/** The service has no refund, and does not say who paid. */
const howToReturn = (orderId: string): string =>
  `To return money, send a transfer from your bank to the account that it came from, by your bank's statement. Then note it: npx transfer-checkout order ${orderId} --url ADDRESS --note "Returned on 3 December"`;

function toPaymentLines(
  payment: OrderReport['payments'][number],
  formatTime: (iso: string) => string,
): string[] {
  const { account, amount, chargedAmount, status, outcome, openedAt, expiresAt, changedAt } = payment;
  const name =
    account.number === '' ? 'Page of the service' : `Account ${account.number}, ${account.bankName}`;
  const isTakenBack = status === 'reversed' && chargedAmount > 0;
  const isOld = outcome === 'replaced' ? ' (old: it does not pay the order)' : '';
  return [
    `${name}${isOld}`,
    `  asked      ${formatMoney(amount)}${payment.liveMode ? '' : ', a test'}`,
    `  open       from ${formatTime(openedAt)} to ${formatTime(expiresAt)}`,
    `  came       ${chargedAmount === 0 ? 'nothing' : formatMoney({ ...amount, value: chargedAmount })}${isTakenBack ? ', taken back' : ''}`,
    `  service    ${status}${changedAt === null ? '' : `, ${formatTime(changedAt)}`}`,
    `  reference  ${payment.reference}`,
  ];
}

const notTaken = ({ failure, tries }: OrderReport['notified'][number]): string =>
  failure == null ? 'not taken yet' : `not taken after ${tries} tries: ${failure}`;
