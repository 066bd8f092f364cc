import { describe, expect, it } from 'vitest';
import { newOrder } from '../../../../server-kit/checkout/order/order.ts';
import {
  observeUnmatched,
  reportUnmatched,
  type UnmatchedPayment,
} from '../../../../server-kit/checkout/order/unmatched.ts';
import { idOf } from '../../../../server-kit/checkout/order/watched.ts';
import { at, observed, response } from './orders.ts';

const found: UnmatchedPayment = {
  state: 'unmatched',
  reference: 'x',
  paymentId: 'pay_x',
  currency: 'NGN',
  liveMode: false,
  paymentMethod: 'dedicated_virtual_account',
  customerId: 'cus_1',
  createdAt: at(0),
  observed: null,
  reported: { amount: 0, events: 0 },
};

/** Records and reports responses, a minute apart: each a status and its money. */
function reportAll(history: string) {
  let payment = found;
  const events = history.split(', ').flatMap((said, index) => {
    const [status = '', amount] = said.split(' ');
    const seen = observeUnmatched(payment, response('x', status, Number(amount), (index + 1) * 60));
    const reported = reportUnmatched(seen.record);
    payment = reported.record;
    return reported.events;
  });
  return { payment, events };
}

it('an unmatched payment is stored under another id than an order of the same name', () => {
  const names = ['x', 'unmatched:x'];
  expect(names.map((name) => idOf(newOrder(name)))).not.toContain(idOf(found));
});

describe('a response about a payment that no order expects', () => {
  it('is recorded, unless it brings nothing new', () => {
    const { record: payment, ignored } = observeUnmatched(found, response('x', 'succeeded', 500));
    expect({ payment, ignored }).toEqual({
      payment: { ...found, observed: { ...observed('succeeded', 500), confirmedAt: at(300) } },
      ignored: null,
    });
    expect(observeUnmatched(payment, response('x', 'succeeded', 500)).record).toBe(payment);
  });

  it('has any amount, and is final when it is confirmed', () => {
    const { record: payment } = observeUnmatched(found, response('x', 'succeeded', 1000));
    const failed = response('x', 'failed', 0, 900);
    expect(observeUnmatched(payment, failed)).toEqual({ record: payment, ignored: 'afterPaid' });
  });

  it.each([
    ['id', { paymentId: 'pay_y' }],
    ['mode', { liveMode: true }],
    ['currency', { currency: 'USD' }],
  ])('is ignored if it has another %s', (_name, change) => {
    const said = { ...response('x', 'succeeded', 500), ...change };
    expect(observeUnmatched(found, said)).toEqual({ record: found, ignored: 'otherPayment' });
  });
});

describe('the notifications of unmatched money', () => {
  it.each([
    ['of nothing before money is confirmed', 'charged 500, failed 500', ''],
    ['of confirmed money', 'charged 500, succeeded 500', ':x:1 500'],
    ['of more money', 'succeeded 500, succeeded 800', ':x:1 500, :x:2 300'],
    ['of no correction of fees', 'succeeded 500, succeeded 490', ':x:1 500'],
    ['of the part of an expired payment', 'expired 500', ':x:1 500'],
    [
      'of a reversal, and of money after it',
      'succeeded 500, reversed 0, succeeded 700',
      ':x:1 500, Reversed:x:2 500, :x:3 700',
    ],
    ['of a failure without the money', 'expired 500, charged 700, failed 0', ':x:1 500, Reversed:x:2 500'],
    ['of no failure that leaves money', 'expired 500, charged 700, failed 500', ':x:1 500'],
    ['of no reversal of unconfirmed money', 'charged 500, reversed 500', ''],
  ])('the merchant is notified %s: %s', (_name, history, lines) => {
    const { payment, events } = reportAll(history);
    const seen = events.map(({ key, amount }) => `${key.replace('unmatchedMoney', '')} ${amount}`);
    expect(seen.join(', ')).toBe(lines);
    expect(events.map(({ position }) => position)).toEqual([...events.keys()]);
    expect(payment.reported.events).toBe(events.length);
    expect(reportUnmatched(payment)).toEqual({ record: payment, events: [] });
  });

  it('have the reference and no order', () => {
    const { events, payment } = reportAll('succeeded 500');
    expect(events).toEqual([
      {
        key: 'unmatchedMoney:x:1',
        orderId: null,
        position: 0,
        outcome: 'unmatchedMoney',
        reference: 'x',
        amount: 500,
      },
    ]);
    expect(payment.reported).toEqual({ amount: 500, events: 1 });
  });

  it('are none without a response', () => {
    expect(reportUnmatched(found)).toEqual({ record: found, events: [] });
  });
});
