import { describe, expect, it } from 'vitest';
import { holdsMoney, isWhole } from '../../../../server-kit/core/payment.ts';
import {
  awaitedBy,
  confirmedAmount,
  decidingPayment,
  isEnded,
  mayHoldMoney,
  reportedOnOthers,
} from '../../../../server-kit/engine/order/money.ts';
import type { Order, Payment } from '../../../../server-kit/engine/order/record.ts';
import { account, at, observed, opening, orderOf, price, shown, unseen } from './orders.ts';

const newStatus = 'a_status_of_tomorrow';

describe('the status of a payment', () => {
  it.each([
    // Whether a payment without an amount, and with one, holds money; the confirmed amount of 500; whether it has ended.
    ['initiated', false, true, null, false],
    ['awaiting_charge', false, true, null, false],
    ['charged', true, true, null, false],
    [newStatus, false, true, null, false],
    ['succeeded', true, true, 500, true],
    ['expired', false, true, 500, true],
    ['failed', false, true, null, true],
    ['reversed', false, false, 0, true],
  ] as const)(
    'says how much money is on the payment: %s',
    (status, without, withAmount, confirmed, hasEnded) => {
      expect([holdsMoney(observed(status)), holdsMoney(observed(status, 500))]).toEqual([
        without,
        withAmount,
      ]);
      expect(confirmedAmount(observed(status, 500))).toBe(confirmed);
      expect(isEnded(observed(status))).toBe(hasEnded);
    },
  );
});

it.each([
  ['exactly the amount', observed('succeeded', 1000), true],
  ['more', observed('succeeded', 1001), true],
  ['a kobo less', observed('succeeded', 999), false],
  ['the amount, not yet confirmed', observed('charged', 1000), false],
  ['less, where the service expected less', { ...observed('succeeded', 999), expectedAmount: 10 }, false],
  ['the amount, where more is expected', { ...observed('succeeded', 1000), expectedAmount: 1001 }, false],
])('a payment with %s is whole: $2', (_name, seen, expected) => {
  expect(isWhole(seen, price)).toBe(expected);
});

describe('a payment that the service may have lost', () => {
  const charged = { observed: observed('charged', 1000) };
  const missing = { missingSince: at(600) };
  const live = { ...account, liveMode: true };
  it.each([
    ['a lost payment in test mode', { ...charged, ...missing }, false],
    [
      'a lost payment in test mode, after it has failed,',
      { observed: observed('failed', 1000), ...missing },
      false,
    ],
    ['a lost payment in live mode', { ...charged, ...missing, opened: live }, true],
    ['a payment that was never lost', charged, true],
    ['a payment that was never lost, without a response,', {}, false],
  ])('%s may hold money: $2', (_name, change, expected) => {
    expect(mayHoldMoney(shown(change))).toBe(expected);
  });
});

const confirming = { ...observed('charged', 1000), confirmingSince: at(300) };

/** The order, paid by one of its payments. */
const paidBy = (by: string, ...payments: Payment[]): Order => {
  const order = orderOf(...payments);
  const paid = { by, at: at(0), amount: 1000, isReversed: false };
  return { ...order, reported: { ...order.reported, paid } };
};

describe('the payment that decides for the shopper', () => {
  const has = (reference: string, status: string, amount: number) =>
    shown({ reference, observed: observed(status, amount) });
  const confirmingIn = (reference: string) => shown({ reference, observed: confirming });
  const b = shown({ reference: 'b' });
  const [partA, partB] = [has('a', 'awaiting_charge', 400), has('b', 'awaiting_charge', 400)];
  const [littleA, littleB] = [has('a', 'succeeded', 400), has('b', 'succeeded', 400)];

  it.each([
    ['has paid, whatever came later', paidBy('a', shown(), confirmingIn('b')), 'a'],
    ['waits to be confirmed', orderOf(confirmingIn('a'), partB), 'a'],
    ['waits to be confirmed, the latest', orderOf(confirmingIn('a'), confirmingIn('b')), 'b'],
    ['has a part and goes on', orderOf(partA, littleB), 'a'],
    ['has a part, the latest', orderOf(partA, partB), 'b'],
    ['has too little, the latest', orderOf(littleA, littleB, has('c', 'succeeded', 300)), 'c'],
    ['counts for the order', orderOf({ ...confirmingIn('a'), state: 'closed' }, b), undefined],
    ['has money', orderOf(shown(), has('b', 'reversed', 1000)), undefined],
    ['was shown', paidBy('a', unseen({ observed: confirming }), opening({ reference: 'b' })), undefined],
  ])('is the one that %s', (_name, order, expected) => {
    expect(decidingPayment(order)?.reference).toBe(expected);
  });
});

describe('the reported money on the other payments of an order', () => {
  const dollars = shown({ reference: 'c', amount: { value: 1000, currency: 'USD' } });
  const order = orderOf(shown(), shown({ reference: 'b' }), dollars);
  const money = {
    a: { amount: 100, movements: 1 },
    b: { amount: 20, movements: 1 },
    c: { amount: 3, movements: 1 },
  };

  it.each([
    ['a', shown(), 20],
    ['b', shown({ reference: 'b' }), 100],
    ['c, in dollars', dollars, 0],
    ['a new one in dollars', { ...dollars, reference: 'd' }, 3],
  ])('is counted in the currency of the payment that asks: %s', (_name, payment, expected) => {
    expect(reportedOnOthers({ ...order, reported: { ...order.reported, money } }, payment)).toBe(expected);
  });
});

describe('an order', () => {
  const waiting = shown({ observed: observed('awaiting_charge') });
  const expired = shown({ observed: observed('expired') });
  const confirmed = shown({ observed: confirming });
  it.each([
    ['without payments', orderOf(), null],
    ['whose account is opened', orderOf(opening()), 'money'],
    ['with an account', orderOf(shown()), 'money'],
    ['with an account that waits', orderOf(waiting), 'money'],
    ['with an earlier account that waits', orderOf(shown(), expired), 'money'],
    ['whose money is not confirmed', orderOf(confirmed, shown()), 'confirmation'],
    ['whose replaced account has money', orderOf({ ...confirmed, state: 'closed' }), null],
    ['whose account has expired', orderOf(expired), null],
    ['whose account was never shown', orderOf(unseen()), null],
    ['that is paid', paidBy('a', shown(), confirmed), null],
  ])('an order %s waits for $2', (_name, order, expected) => {
    expect(awaitedBy(order)).toBe(expected);
  });
});
