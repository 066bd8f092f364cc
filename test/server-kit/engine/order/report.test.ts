import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { NewEvent, OrderOutcome } from '../../../../server-kit/engine/order/event.ts';
import { observe } from '../../../../server-kit/engine/order/observe.ts';
import type { Order } from '../../../../server-kit/engine/order/record.ts';
import { report } from '../../../../server-kit/engine/order/report.ts';
import { toOutcomeEvent } from '../../../../server-kit/engine/outbox/deliver.ts';
import { handlerNames } from '../../../../server-kit/engine/outbox/handlers.ts';
import { follow, observed, opening, orderOf, response, shown, unseen } from './orders.ts';

const reasonOf = (event: NewEvent): string => (event.outcome === 'unexpectedMoney' ? event.reason : '');

/** The events of a history, each as its key with the amount and the reason. */
const linesOf = ({ events }: ReturnType<typeof follow>): string =>
  events
    .map((event) => `${event.key} ${event.amount} ${reasonOf(event)}`.trim())
    .join(', ')
    .replaceAll(/order-1:|Money/g, '');

const [b, unseenOne] = [shown({ reference: 'b' }), unseen({ reference: 'unseen' })];
const order = orderOf(shown(), b, shown({ reference: 'old', state: 'closed' }), unseenOne);

const histories = [
  'of nothing before money is confirmed: a awaiting_charge 400, a charged 1000 -> ',
  'of the payment: a charged 1000, a succeeded 1000 -> paid 1000',
  'of all that has paid the order: a succeeded 1200 -> paid 1200',
  'of a failure, not of its money: a failed 400 -> failed 0',
  'of an expiry, and of its part: a expired 400 -> expired 0, unexpected:a:1 400 tooLittle',
  'of an expiry once an order: a expired 0, b expired 0 -> expired 0',
  'of an expiry and of a failure: a expired 0, b failed 0 -> expired 0, failed 0',
  'of no expiry after the payment: a succeeded 1000, b expired 0 -> paid 1000',
  'of no expiry of an account that does not count: old expired 0 -> ',
  'of late money that completes a part: a expired 400, a charged 1000, a succeeded 1000 -> expired 0, unexpected:a:1 400 tooLittle, paid 600',
  'of too little: a succeeded 999 -> amountMismatch 999',
  'of too little once an order: a succeeded 400, b succeeded 300 -> amountMismatch 400, unexpected:b:1 300 tooLittle',
  'of the rest that completes too little: a succeeded 400, a succeeded 1000 -> amountMismatch 400, paid 600',
  'of each surplus: a succeeded 1000, a succeeded 1500, a succeeded 1700 -> paid 1000, unexpected:a:1 500 surplus, unexpected:a:2 200 surplus',
  'of no correction of fees: a succeeded 1000, a succeeded 990 -> paid 1000',
  'of a second payment: a succeeded 1000, b succeeded 1000 -> paid 1000, unexpected:b:1 1000 orderPaid',
  'of money on a replaced account, part by part: old expired 400, old charged 1000, old succeeded 1000 -> unexpected:old:1 400 replacedAccount, unexpected:old:2 600 replacedAccount',
  'of money on an account that was never shown: unseen charged 1000, unseen succeeded 1000 -> unexpected:unseen:1 1000 replacedAccount',
  'of money on a replaced account of a paid order: a succeeded 1000, old succeeded 1000 -> paid 1000, unexpected:old:1 1000 replacedAccount',
  'of a reversal with all that was paid: a succeeded 1000, a succeeded 1500, a reversed 0 -> paid 1000, unexpected:a:1 500 surplus, reversed 1500',
  'of no reversal of unconfirmed money: a charged 1000, a reversed 1000 -> ',
  'of money after a reversal, and its reversal: a succeeded 1000, a reversed 0, a succeeded 1000, a reversed 0 -> paid 1000, reversed 1000, unexpected:a:1 1000 afterReversal, unexpectedReversed:a:2 1000',
  'of each movement after a reversal: a succeeded 1000, a reversed 0, a succeeded 1000, a reversed 0, a succeeded 1000 -> paid 1000, reversed 1000, unexpected:a:1 1000 afterReversal, unexpectedReversed:a:2 1000, unexpected:a:3 1000 afterReversal',
  'of no stale confirmation after a reversal: a succeeded 1000 @1, a reversed 0 @3, a succeeded 1000 @2 -> paid 1000, reversed 1000',
  'of a mismatch that is taken back, and of the payment: a succeeded 400, a reversed 0, b succeeded 1000, b reversed 0 -> amountMismatch 400, reversed:a 400, paid 1000, reversed 1000',
  'of a second mismatch as unexpected money: a succeeded 400, a reversed 0, a succeeded 300, a reversed 0 -> amountMismatch 400, reversed:a 400, unexpected:a:1 300 tooLittle, unexpectedReversed:a:2 300',
  'of too little on another account, and its reversal: a succeeded 400, a reversed 0, b succeeded 300, b reversed 0 -> amountMismatch 400, reversed:a 400, unexpected:b:1 300 tooLittle, unexpectedReversed:b:2 300',
  'of a mismatch that is taken back after the payment: a succeeded 400, b succeeded 1000, a reversed 0, b reversed 0 -> amountMismatch 400, paid 1000, unexpectedReversed:a:1 400, reversed 1000',
  'of unexpected money that is taken back first: old succeeded 1000, old reversed 0, a succeeded 1000 -> unexpected:old:1 1000 replacedAccount, unexpectedReversed:old:2 1000, paid 1000',
  'of a second payment that is taken back: a succeeded 1000, b succeeded 1000, b reversed 0, a reversed 0 -> paid 1000, unexpected:b:1 1000 orderPaid, unexpectedReversed:b:2 1000, reversed 1000',
  'of no second payer after a reversal: a succeeded 1000, a reversed 0, b succeeded 1000 -> paid 1000, reversed 1000, unexpected:b:1 1000 orderPaid',
  'of one payer of two: b charged 1000, a succeeded 1000, b succeeded 1000 -> paid 1000, unexpected:b:1 1000 orderPaid',
  'of a part of an expired payment that fails without it: a expired 400, a charged 1000, a failed 0, a succeeded 1000 -> expired 0, unexpected:a:1 400 tooLittle, failed 0, unexpectedReversed:a:2 400, paid 1000',
  'of no part that the failure has left: a expired 400, a charged 1000, a failed 300 -> expired 0, unexpected:a:1 400 tooLittle, failed 0',
  'of no stale confirmation after a failure: a expired 400 @40, a charged 1000 @50, a failed 0 @60, a expired 400 @40 -> expired 0, unexpected:a:1 400 tooLittle, failed 0, unexpectedReversed:a:2 400',
  'of a loss by a failure of the same date: a expired 400 @40, a failed 0 @40, a expired 400 @40 -> expired 0, unexpected:a:1 400 tooLittle, failed 0, unexpectedReversed:a:2 400',
  'of the payment, though its charge had failed seconds ago: a expired 400 @40, a charged 1000 @50, a failed 0 @60, a succeeded 1000 @60 -> expired 0, unexpected:a:1 400 tooLittle, failed 0, unexpectedReversed:a:2 400, paid 1000',
  'of no loss by a failure after the payment: a succeeded 1000, a succeeded 990, a failed 0, a reversed 0 -> paid 1000, reversed 1000',
  'of no loss by a failure alone: a succeeded 1000, a succeeded 990, a failed 0 -> paid 1000',
  'of a mismatch that fails without its money: a succeeded 400, a failed 0 -> amountMismatch 400, failed 0, reversed:a 400',
  'of money on a paid order that fails without it: a succeeded 1000, a reversed 0, a succeeded 400, a failed 0 -> paid 1000, reversed 1000, unexpected:a:1 400 afterReversal, unexpectedReversed:a:2 400',
  'of a mismatch that fails without its money, by a node whose clock is behind: a succeeded 400 @5, a failed 0 @4.5 -> amountMismatch 400, failed 0, reversed:a 400',
  'of a part that its failure has left, and that was taken back seconds before: a succeeded 400 @5, a failed 400 @6, a reversed 400 @5.9 -> amountMismatch 400, failed 0, reversed:a 400',
  'of a part that its failure has left, and then not: a expired 400 @40, a failed 400 @50, a failed 0 @50 -> expired 0, unexpected:a:1 400 tooLittle, failed 0, unexpectedReversed:a:2 400',
  'of a loss, though a failure that named no amount was seen first: a expired 400 @40, a charged 1000 @50, a failed ? @60, a failed 0 @60 -> expired 0, unexpected:a:1 400 tooLittle, failed 0, unexpectedReversed:a:2 400',
  'of no returned part where an expiry names no amount: a awaiting_charge 400, a reversed 400, a expired ? -> expired 0',
  'of no money twice where an expiry names no amount: a succeeded 400, a reversed 400, a expired ? -> amountMismatch 400, reversed:a 400, expired 0',
  'of a part of an expired payment that is taken back: a expired 400, a reversed 400 -> expired 0, unexpected:a:1 400 tooLittle, unexpectedReversed:a:2 400',
] as const;

it.each(histories)('the notifications of the merchant the merchant is notified %s', (row) => {
  const [, history = '', lines] = row.split(/: | -> /);
  const result = follow(order, history);
  expect(linesOf(result)).toBe(lines);
  expect(result.events.map(({ position }) => position)).toEqual([...result.events.keys()]);
  expect(result.order.reported.events).toBe(result.events.length);
  expect(report(result.order)).toEqual({ record: result.order, events: [] });
});

const paid = follow(orderOf(shown()), 'a succeeded 1000').order;
/** A response about another payment than that which has paid the order. */
const said = { ...response('a', 'expired', 0, 900), paymentId: 'pay_2' };
const seen = report(observe(paid, 'a', said).record);

/** A key without its order, its payment and its number. */
const shapeOf = (key: string): string =>
  key
    .replace(/^[^:]*:/, '')
    .replace(/:[^:]*:\d+$/, ':payment:number')
    .replace(/:[^:]{1,3}$/, ':payment');

/** The key, the reason and the handlers of each event that the table in docs/server/guarantees.md has of an order. */
function documentedEvents() {
  const text = readFileSync(new URL('../../../../docs/server/guarantees.md', import.meta.url), 'utf8');
  const namesIn = (cell = '') => [...cell.matchAll(/`([\w:]+)`|–/g)].map(([, name = '']) => name);
  return text.split('\n').flatMap((line) => {
    const [, , handlers = '', reasons, _amount, keys] = line.split('|');
    return namesIn(keys).flatMap((key, index) =>
      /^o:/.test(key) ? { shape: shapeOf(key), reason: namesIn(reasons)[index] ?? '', handlers } : [],
    );
  });
}

describe('the table of all movements in guarantees.md', () => {
  const documented = documentedEvents();

  it('has each key and reason that these histories bring, and no other', () => {
    const events = histories.flatMap((row) => follow(order, row.split(/: | -> /)[1] ?? '').events);
    const found = [...events, ...seen.events].map((event) => `${shapeOf(event.key)} ${reasonOf(event)}`);
    const expected = documented.map(({ shape, reason }) => `${shape} ${reason}`);
    expect([...new Set(expected)].sort()).toEqual([...new Set(found)].sort());
  });

  it.each(documented)('names the handler of $shape', ({ shape, handlers }) => {
    expect(handlers).toContain(handlerNames[shape.split(':')[0] as OrderOutcome]);
  });
});

describe('an event for the merchant', () => {
  it('names its order, the payment that caused it, and what belongs to its outcome', () => {
    const { events } = follow(order, 'b expired, a succeeded 1200, old succeeded 700');
    const key = 'order-1:unexpectedMoney:old:1';
    const reason = 'replacedAccount';
    const expected = [
      { key: 'order-1:expired', position: 0, outcome: 'expired', reference: 'b', amount: 0 },
      { key: 'order-1:paid', position: 1, outcome: 'paid', reference: 'a', amount: 1200, isLate: false },
      { key, position: 2, outcome: 'unexpectedMoney', reference: 'old', amount: 700, reason },
    ];
    expect(events).toEqual(expected.map((event) => ({ ...event, orderId: 'order-1' })));
  });

  it('is late if it was paid after half an hour', () => {
    const paidAt = (minutes: number) => follow(order, `a succeeded 1000 @${minutes}`).events;
    expect([paidAt(30), paidAt(31)]).toMatchObject([[{ isLate: false }], [{ isLate: true }]]);
  });
});

describe('the record of what the merchant knows', () => {
  it('counts all that was reported', () => {
    const history = 'a succeeded 400, b succeeded 1000, b succeeded 1500, old succeeded 700';
    expect(follow(order, history).order.reported).toEqual({
      events: 4,
      paid: { by: 'b', at: '2026-03-01T12:02:00.000Z', amount: 1000, isReversed: false },
      mismatch: { of: 'a', isReversed: false },
      ended: [],
      money: {
        a: { amount: 400, movements: 0 },
        b: { amount: 1500, movements: 1 },
        old: { amount: 700, movements: 1 },
      },
    });
  });

  const [kept, takenBack] = [false, true].map((isReversed) => ({ of: 'a', isReversed }));
  const paidBack = { by: 'b', isReversed: true };
  const money = { b: { amount: 0, movements: 0 } };
  it.each<[string, object]>([
    ['a succeeded 400, a reversed 0', { mismatch: takenBack, paid: null }],
    ['a succeeded 400, b succeeded 1000, b reversed 0', { mismatch: kept, paid: paidBack, money }],
    ['a succeeded 1000, a reversed 0', { mismatch: null, paid: { isReversed: true } }],
    ['a succeeded 400, a reversed 0, b succeeded 1000, b reversed 0', { mismatch: takenBack }],
    ['a failed 0, b expired 0', { ended: ['failed', 'expired'] }],
  ])('keeps the final report of %s', (history, reported) => {
    expect(follow(order, history).order.reported).toMatchObject(reported);
  });

  it('has no money of what brings none', () => {
    expect(follow(order, 'a failed 0').order.reported.money).toEqual({});
  });

  it('does not change without responses', () => {
    const waiting = orderOf(shown(), opening({ reference: 'b' }), unseen({ reference: 'c' }));
    expect(report(waiting)).toEqual({ record: waiting, events: [] });
  });

  it('has one payer, the earlier, of two payments that are confirmed at once', () => {
    const paid = { observed: observed('succeeded', 1000) };
    const { events } = report(orderOf(shown(paid), shown({ ...paid, reference: 'b' })));
    expect(events.map(({ key }) => key)).toEqual(['order-1:paid', 'order-1:unexpectedMoney:b:1']);
  });
});

it('A payment that the service names instead of one with money is reported once, and nothing is taken back', () => {
  const start = orderOf(shown(), shown({ reference: 'b' }));
  const { order: both } = follow(start, 'a succeeded 1000, b succeeded 1000');
  const name = (order: Order, reference: string) =>
    report(observe(order, reference, { ...said, reference }).record);
  const first = name(both, 'a');
  const event = { key: 'order-1:otherPayment:a', outcome: 'otherPayment', reference: 'a', amount: 0 };
  expect(first.events).toMatchObject([event]);
  expect(first.record.reported).toEqual({ ...both.reported, events: 3, others: ['a'] });
  expect(toOutcomeEvent(first.events[0] as NewEvent, first.record)).toMatchObject({
    otherPaymentId: 'pay_2',
  });
  const second = name(first.record, 'b');
  expect(second.record.reported.others).toEqual(['a', 'b']);
  expect(name(second.record, 'a').events).toEqual([]);
});
