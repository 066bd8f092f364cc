import { describe, expect, it } from 'vitest';
import {
  awaitedBy,
  confirmedAmount,
  decidingPayment,
  holdsMoney,
  isEnded,
  isWhole,
  mayHoldMoney,
} from '../../../../server-kit/checkout/order/money.ts';
import type { Order, Payment } from '../../../../server-kit/checkout/order/order.ts';
import { account, at, observed, opening, orderOf, price, shown, unseen } from './orders.ts';

const newStatus = 'a_status_of_tomorrow';

describe('a status', () => {
  it.each([
    // Whether a payment without an amount, and with one, holds money; the confirmed amount of 500; whether it has ended.
    ['initiated', false, true, null, false],
    ['awaiting_charge', false, true, null, false],
    ['charged', true, true, null, false],
    [newStatus, true, true, null, false],
    ['succeeded', true, true, 500, true],
    ['expired', false, true, 500, true],
    ['failed', false, true, null, true],
    ['reversed', false, false, 0, true],
  ] as const)('%s decides what money is there', (status, without, withAmount, confirmed, hasEnded) => {
    expect([holdsMoney(observed(status)), holdsMoney(observed(status, 500))]).toEqual([without, withAmount]);
    expect(confirmedAmount(observed(status, 500))).toBe(confirmed);
    expect(isEnded(observed(status))).toBe(hasEnded);
  });
});

it.each([
  ['exactly the amount', observed('succeeded', 1000), true],
  ['more', observed('succeeded', 1001), true],
  ['a kobo less', observed('succeeded', 999), false],
  ['the amount, not yet confirmed', observed('charged', 1000), false],
  ['less, where the service expected less', { ...observed('succeeded', 999), expectedAmount: 10 }, false],
  [
    'the amount, where the service expects more',
    { ...observed('succeeded', 1000), expectedAmount: 1001 },
    false,
  ],
])('%s is a whole payment: %o', (_name, seen, expected) => {
  expect(isWhole(seen, price)).toBe(expected);
});

describe('a payment that the service has lost', () => {
  const live = { ...account, liveMode: true };
  it.each([
    ['in test mode', shown({ observed: observed('charged', 1000), missingSince: at(600) }), false],
    [
      'in test mode, after it has failed',
      shown({ observed: observed('failed', 1000), missingSince: at(600) }),
      false,
    ],
    [
      'in live mode',
      shown({ opened: live, observed: observed('charged', 1000), missingSince: at(600) }),
      true,
    ],
    ['never', shown({ observed: observed('charged', 1000) }), true],
    ['never, and without a response', shown(), false],
  ])('%s may hold money: %s', (_name, payment, expected) => {
    expect(mayHoldMoney(payment)).toBe(expected);
  });
});

describe('the payment that decides for the shopper', () => {
  const confirming = { ...observed('charged', 1000), confirmingSince: at(300) };
  const part = observed('awaiting_charge', 400);
  const little = observed('succeeded', 400);
  const paidBy = (by: string, ...payments: Payment[]): Order => {
    const order = orderOf(...payments);
    return {
      ...order,
      reported: { ...order.reported, paid: { by, at: at(0), amount: 1000, isReversed: false } },
    };
  };
  const [a, b] = [{ reference: 'a' }, { reference: 'b' }];

  it.each([
    ['has paid, whatever came later', paidBy('a', shown(a), shown({ ...b, observed: confirming })), 'a'],
    [
      'waits to be confirmed',
      orderOf(shown({ ...a, observed: confirming }), shown({ ...b, observed: part })),
      'a',
    ],
    [
      'waits to be confirmed, the latest',
      orderOf(shown({ ...a, observed: confirming }), shown({ ...b, observed: confirming })),
      'b',
    ],
    [
      'has a part and goes on',
      orderOf(shown({ ...a, observed: part }), shown({ ...b, observed: little })),
      'a',
    ],
    [
      'has a part, the latest',
      orderOf(shown({ ...a, observed: part }), shown({ ...b, observed: part })),
      'b',
    ],
    [
      'has too little, the latest',
      orderOf(shown({ ...a, observed: little }), shown({ ...b, observed: little })),
      'b',
    ],
    [
      'counts for the order',
      orderOf(shown({ ...a, state: 'closed', observed: confirming }), shown(b)),
      undefined,
    ],
    ['has money', orderOf(shown(a), shown({ ...b, observed: observed('reversed', 1000) })), undefined],
    ['was shown', paidBy('a', unseen({ ...a, observed: confirming }), opening(b)), undefined],
  ])('is the one that %s', (_name, order, expected) => {
    expect(decidingPayment(order)?.reference).toBe(expected);
  });
});

describe('an order', () => {
  const paid = { by: 'a', at: at(0), amount: 1000, isReversed: false };
  const confirming = { ...observed('charged', 1000), confirmingSince: at(300) };
  const withPaid = (order: Order): Order => ({ ...order, reported: { ...order.reported, paid } });

  it.each([
    ['without payments', orderOf(), null],
    ['whose account is opened', orderOf(opening()), 'money'],
    ['with an account', orderOf(shown()), 'money'],
    ['with an account that waits', orderOf(shown({ observed: observed('awaiting_charge') })), 'money'],
    [
      'with an earlier account that waits',
      orderOf(shown(), shown({ observed: observed('expired') })),
      'money',
    ],
    ['whose money is not confirmed', orderOf(shown({ observed: confirming }), shown()), 'confirmation'],
    [
      'whose replaced account has unconfirmed money',
      orderOf(shown({ state: 'closed', observed: confirming })),
      null,
    ],
    ['whose account has expired', orderOf(shown({ observed: observed('expired') })), null],
    ['whose account was never shown', orderOf(unseen()), null],
    ['that is paid', withPaid(orderOf(shown(), shown({ observed: confirming }))), null],
  ])('%s waits for %s', (_name, order, expected) => {
    expect(awaitedBy(order)).toBe(expected);
  });
});
