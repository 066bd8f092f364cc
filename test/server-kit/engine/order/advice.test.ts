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
const noted = (order: Order): Order => ({
  ...order,
  notes: [{ at: at(0), text: 'Returned', events: order.reported.events }],
});
/** The service has named another payment, without money, for the one that is known. */
const replaced = (history: string): Order =>
  report(observe(after(history), 'a', { ...response('a', 'awaiting_charge'), paymentId: 'pay_2' }).record)
    .record;
const ended = { now: expiresMs + 60 * minuteMs };

/** The situation, the order, facts that differ, whether it is listed, and the sentence. */
const cases: [Situation, Order, Partial<AdviceFacts>, boolean, RegExp][] = [
  ['paid', after('a succeeded 1000'), {}, false, /^Paid in full at 12:01\. Your shop has been told/],
  ['paid', after('a succeeded 1000'), { isAsked: false }, false, /the page is wrong\.$/],
  [
    'paidUntaken',
    after('a succeeded 1000'),
    { untaken: [{ outcome: 'paid', failure: 'no stock', isParked: false }] },
    false,
    /has not taken the news \(no stock\)/,
  ],
  [
    'paidUntaken',
    after('a succeeded 1000'),
    { untaken: [{ outcome: 'paid', failure: null, isParked: true }] },
    false,
    /has not taken the news \(it has no handler for it\)/,
  ],
  [
    'paid',
    after('a succeeded 1000'),
    { untaken: [{ outcome: 'paid', failure: null, isParked: false }] },
    false,
    /is being told now: look again in a minute\.$/,
  ],
  ['overpaid', after('a succeeded 1200'), {}, true, /Paid in full .* ₦2\.00 too much came: return it/],
  [
    'reversed',
    after('a succeeded 1000, a reversed 0'),
    {},
    true,
    /^₦10\.00 was paid at 12:01 and taken back/,
  ],
  ['confirming', after('a charged 1000 @9'), {}, false, /^₦10\.00 arrived at 12:09 and is being confirmed/],
  [
    'confirmationLate',
    after('a charged 1000'),
    ended,
    false,
    /has not confirmed it: ask the service about a;/,
  ],
  ['partOpen', after('a charged 400'), {}, false, /^₦4\.00 of ₦10\.00 came: .* other ₦6\.00 .* before 12:30/],
  ['confirmationLate', after('a charged 400'), ended, false, /^₦4\.00 of ₦10\.00 arrived at 12:01/],
  [
    'tooLittle',
    after('a succeeded 400'),
    {},
    true,
    /^₦4\.00 of ₦10\.00 came: ask for the rest .*return it\.$/,
  ],
  ['tooLittle', after('a expired 400'), ended, true, /^₦4\.00 of ₦10\.00 came/],
  [
    'oldAccount',
    follow(orderOf({ ...shown(), state: 'closed' }, shown({ reference: 'b' })), 'a succeeded 1000').order,
    {},
    true,
    /^₦10\.00 came to an old account of this order/,
  ],
  ['failedWithMoney', after('a failed 400'), {}, true, /^The payment failed with ₦4\.00 of ₦10\.00 on it/],
  ['otherPayment', replaced('a charged 1000'), {}, true, /^₦10\.00 came for a, .* pay_2: ask the service/],
  ['otherPayment', replaced('a succeeded 1000'), {}, true, /the customer must not pay again\.$/],
  ['overpaid', replaced('a succeeded 1200'), {}, true, /too much came: return it/],
  ['unknown', orderOf(shown()), { isAsked: false }, false, /did not respond.*before you tell the customer/],
  [
    'lost',
    orderOf(shown({ opened: live, missingSince: at(60) })),
    {},
    true,
    /no longer knows a: ask the service/,
  ],
  ['lostTest', orderOf(shown({ missingSince: at(60) })), {}, false, /this test payment/],
  [
    'nothing',
    orderOf(shown()),
    {},
    false,
    /^Nothing has come to this account, or it was returned: ask for the transfer’s session id/,
  ],
  ['expired', after('a expired 0'), ended, false, /which closed at 12:30.* within 7 days still pays/],
  ['failed', after('a failed 0'), {}, false, /failed, and no money came/],
  [
    'takenBack',
    orderOf(shown({ observed: observed('reversed') })),
    {},
    false,
    /^What came was taken back at 12:05/,
  ],
  ['linkUnopened', orderOf(shownLink()), {}, false, /has not opened the page/],
  ['noAccount', orderOf(unseen()), {}, false, /^No account has been shown/],
  ['noted', noted(after('a succeeded 1200')), {}, false, /on 12:00 it was noted “Returned”/],
];

it.each(cases)('says what to do about an order: %s', (situation, order, more, isListed, sentence) => {
  expect(adviseOn(order, { ...facts, ...more })).toMatchObject({
    situation,
    sentence: expect.stringMatching(sentence),
  });
  expect(needsPerson(order)).toBe(isListed);
});

it('has each situation in its table', () => {
  expect([...new Set(cases.map(([situation]) => situation))].sort()).toEqual([...situations].sort());
});

it('needs a person again when more happens after the note', () => {
  const order = follow(noted(after('a succeeded 1200')), 'a succeeded 1300').order;
  expect([adviseOn(order, facts).amount?.value, needsPerson(order)]).toEqual([300, true]);
});

it('says that the shop was notified of another payment', () => {
  const found = { record: replaced('a charged 1000'), version: 1, storeNow: 0, events: [] };
  const { notified } = toReport(found, { now: openedMs, isAsked: true, sharedWith: [], timeZone: 'UTC' });
  expect(notified).toEqual([{ outcome: 'otherPayment', isTaken: true }]);
});

it('says in the report that the money which came was taken back', () => {
  const found = { record: after('a succeeded 1000, a reversed 1000'), version: 1, storeNow: 0, events: [] };
  const made = toReport(found, { now: openedMs, isAsked: true, sharedWith: [], timeZone: 'UTC' });
  expect(toOrderText(made)).toContain('came       ₦10.00, taken back');
});

it('formats money exactly, however much it is', () => {
  const format = (value: number, currency = 'NGN') => formatMoney({ value, currency });
  expect([format(Number.MAX_SAFE_INTEGER), format(5), format(1_234_567, 'JPY')]).toEqual([
    '₦90,071,992,547,409.91',
    '₦0.05',
    '¥1,234,567',
  ]);
});
