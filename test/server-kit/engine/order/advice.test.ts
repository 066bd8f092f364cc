import { expect, it } from 'vitest';
import {
  type AdviceFacts,
  adviseOn,
  needsPerson,
  type Situation,
  situations,
} from '../../../../server-kit/engine/order/advice.ts';
import { observe } from '../../../../server-kit/engine/order/observe.ts';
import type { Order } from '../../../../server-kit/engine/order/record.ts';
import { report } from '../../../../server-kit/engine/order/report.ts';
import { toOrderText, toReport } from '../../../../server-kit/engine/telemetry/order-report.ts';
import { formatMoney } from '../../../../server-kit/engine/telemetry/status.ts';
import {
  account,
  at,
  expiresMs,
  follow,
  minuteMs,
  observed,
  openedMs,
  orderOf,
  response,
  shown,
  shownLink,
  unseen,
} from './orders.ts';

const facts: AdviceFacts = {
  now: openedMs + 10 * minuteMs,
  isAsked: true,
  untaken: [],
  formatMoney,
  formatTime: (iso) => iso.slice(11, 16),
};
const live = { ...account, liveMode: true };
const after = (history: string): Order => follow(orderOf(shown()), history).order;
const noted = (order: Order): Order => {
  const note = { at: at(0), text: 'Returned', events: order.reported.events };
  return { ...order, notes: [note] };
};
/** The service has named another payment, without money, for the one that is known. */
const replaced = (history: string): Order =>
  report(observe(after(history), 'a', { ...response('a', 'awaiting_charge'), paymentId: 'pay_2' }).record)
    .record;
const ended = { now: expiresMs + 60 * minuteMs };

const untaken = (failure: string | null, isParked = false) => ({
  untaken: [{ outcome: 'paid' as const, failure, isParked }],
});
const replacedA = orderOf(shown({ state: 'closed' }), shown({ reference: 'b' }));
const { order: old } = follow(replacedA, 'a succeeded 1000');
const lost = orderOf(shown({ opened: live, missingSince: at(60) }));
const isNotAsked = { isAsked: false };

/** Those of the orders that are listed for a person. */
const listed = 'overpaid reversed tooLittle oldAccount failedWithMoney otherPayment lost'.split(' ');

/** The situation, the order, the sentence, and facts that differ. */
const cases: [Situation, Order, RegExp, Partial<AdviceFacts>?][] = [
  ['paid', after('a succeeded 1000'), /^Paid in full at 12:01\. Your shop has been told/],
  ['paid', after('a succeeded 1000'), /the page is wrong\.$/, isNotAsked],
  ['paidUntaken', after('a succeeded 1000'), /has not taken the news \(no stock\)/, untaken('no stock')],
  ['paidUntaken', after('a succeeded 1000'), /the news \(it has no handler for it\)/, untaken(null, true)],
  ['paid', after('a succeeded 1000'), /is being told now: look again in a minute\.$/, untaken(null)],
  ['overpaid', after('a succeeded 1200'), /Paid in full .* ₦2\.00 too much came: return it/],
  ['reversed', after('a succeeded 1000, a reversed 0'), /^₦10\.00 was paid at 12:01 and taken back/],
  ['confirming', after('a charged 1000 @9'), /^₦10\.00 arrived at 12:09 and is being confirmed/],
  ['confirmationLate', after('a charged 1000'), /has not confirmed it: ask the service about a;/, ended],
  ['partOpen', after('a charged 400'), /^₦4\.00 of ₦10\.00 came: .* other ₦6\.00 .* before 12:30/],
  ['confirmationLate', after('a charged 400'), /^₦4\.00 of ₦10\.00 arrived at 12:01/, ended],
  ['tooLittle', after('a succeeded 400'), /^₦4\.00 of ₦10\.00 came: ask for the rest .*return it\.$/],
  ['tooLittle', after('a expired 400'), /^₦4\.00 of ₦10\.00 came/, ended],
  ['oldAccount', old, /^₦10\.00 came to an old account of this order/],
  ['failedWithMoney', after('a failed 400'), /^The payment failed with ₦4\.00 of ₦10\.00 on it/],
  ['otherPayment', replaced('a charged 1000'), /^₦10\.00 came for a, .* pay_2: ask the service/],
  ['otherPayment', replaced('a succeeded 1000'), /the customer must not pay again\.$/],
  ['overpaid', replaced('a succeeded 1200'), /too much came: return it/],
  ['unknown', orderOf(shown()), /did not respond.*before you tell the customer/, isNotAsked],
  ['lost', lost, /no longer knows a: ask the service/],
  ['lostTest', orderOf(shown({ missingSince: at(60) })), /this test payment/],
  ['nothing', orderOf(shown()), /^Nothing has come to this account, .*: ask for the transfer’s session id/],
  ['expired', after('a expired 0'), /which closed at 12:30.* within 7 days still pays/, ended],
  ['failed', after('a failed 0'), /failed, and no money came/],
  ['takenBack', orderOf(shown({ observed: observed('reversed') })), /^What came was taken back at 12:05/],
  ['linkUnopened', orderOf(shownLink()), /has not opened the page/],
  ['noAccount', orderOf(unseen()), /^No account has been shown/],
  ['noted', noted(after('a succeeded 1200')), /on 12:00 it was noted “Returned”/],
];

it.each(cases)('says what to do about an order: %s', (situation, order, sentence, more = {}) => {
  const advice = adviseOn(order, { ...facts, ...more });
  expect(advice).toMatchObject({ situation, sentence: expect.stringMatching(sentence) });
  expect(needsPerson(order)).toBe(listed.includes(situation));
});

it('has each situation in its table', () => {
  expect([...new Set(cases.map(([situation]) => situation))].sort()).toEqual([...situations].sort());
});

it('needs a person again when more happens after the note', () => {
  const order = follow(noted(after('a succeeded 1200')), 'a succeeded 1300').order;
  expect([adviseOn(order, facts).amount?.value, needsPerson(order)]).toEqual([300, true]);
});

it('reports that the shop was notified of another payment, and that money was taken back', () => {
  const reportOf = (record: Order) => {
    const found = { record, version: 1, storeNow: 0, events: [] };
    return toReport(found, { now: openedMs, isAsked: true, sharedWith: [], timeZone: 'UTC' });
  };
  const { notified } = reportOf(replaced('a charged 1000'));
  expect(notified).toEqual([{ outcome: 'otherPayment', isTaken: true }]);
  const reversed = reportOf(after('a succeeded 1000, a reversed 1000'));
  expect(toOrderText(reversed)).toContain('came       ₦10.00, taken back');
});

it('formats money exactly, however much it is', () => {
  const format = (value: number, currency = 'NGN') => formatMoney({ value, currency });
  const [most, least, yen] = [format(Number.MAX_SAFE_INTEGER), format(5), format(1_234_567, 'JPY')];
  expect([most, least, yen]).toEqual(['₦90,071,992,547,409.91', '₦0.05', '¥1,234,567']);
});
