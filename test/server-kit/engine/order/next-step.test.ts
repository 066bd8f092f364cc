import { describe, expect, it } from 'vitest';
import {
  closeAbandoned,
  type Facts,
  nextStep,
  type SessionRequest,
} from '../../../../server-kit/engine/order/next-step.ts';
import { type Order, type Payment, referencesOf } from '../../../../server-kit/engine/order/record.ts';
import {
  account,
  at,
  expiresMs,
  minuteMs,
  observed,
  openedMs,
  opening,
  orderOf,
  price,
  shown,
  unseen,
} from './orders.ts';

const newPrice = { value: 1200, currency: 'NGN' };
const b = { reference: 'b' };

type Asked = {
  request?: Partial<SessionRequest>;
  named?: readonly string[];
  tried?: readonly string[];
  verified?: readonly string[];
  facts?: Partial<Facts>;
};

const lease = { endsAtMs: 9000 };

/** What a request does next. Every payment has been tried, unless `tried` says otherwise. */
function stepOf(order: Order, { request, named = [], tried, verified = [], facts }: Asked = {}) {
  const all = new Set(tried ?? referencesOf(order));
  const asked = { amount: price, named: new Set(named), preference: undefined, reference: 'new', lease };
  const known = { tried: all, verified: new Set(verified), storeNow: 4000, serviceNow: openedMs + minuteMs };
  return nextStep(order, { ...asked, ...request }, { ...known, ...facts });
}

function describeStep(...args: Parameters<typeof stepOf>): string {
  const step = stepOf(...args);
  switch (step.name) {
    case 'show':
      return `show ${step.payment.reference}`;
    case 'verify':
      return `verify ${step.references.join(', ')}${step.isForDecision ? ' first' : ''}`;
    case 'wait':
      return `wait for ${step.reference}`;
    case 'open':
      return `open ${step.reference}`;
    case 'refuse':
      return 'refuse';
  }
}

const expired = observed('expired');
const [ended, endedB] = [shown({ observed: expired }), shown({ ...b, observed: expired })];
const charged = observed('charged', 1000);
const paying = shown({ observed: charged });
const missing = { missingSince: at(60) };
const lost = shown(missing);
const lostWithMoney = { ...lost, observed: observed('failed', 400) };
const live = { ...account, liveMode: true };
const lostLive = shown({ ...missing, opened: live });
const lostLiveEnded = { ...lostLive, observed: expired };
const closed = shown({ state: 'closed' });
const part = shown({ observed: observed('awaiting_charge', 1) });
const failed = shown({ observed: observed('failed') });
const reversed = shown({ observed: observed('reversed', 1000) });

const asksNew = { request: { preference: 'new' } } as const;
const existing = { request: { preference: 'existing' } } as const;
const atNewPrice = { request: { amount: newPrice } } as const;
const existingAtNewPrice = { request: { ...existing.request, ...atNewPrice.request } };
const inDollars = { request: { amount: { ...price, currency: 'USD' } } };
const namesA = { named: ['a'] };
const knowsA = { verified: ['a'] };
const leaseIsOver = { facts: { storeNow: 5000 } };
const isEarly = { facts: { storeNow: -70_000 } };
const isPastExpiry = { facts: { serviceNow: expiresMs } };

describe('a request for an order’s payment', () => {
  it.each<[string, Order, Asked, string]>([
    ['verifies every payment that counts', orderOf(shown(), shown(b)), { tried: [] }, 'verify a, b'],
    ['verifies none twice', orderOf(shown(), shown(b)), { tried: ['b'] }, 'verify a'],
    ['verifies none that does not count', orderOf(closed, unseen(b), opening()), { tried: [] }, 'wait for a'],
    ['shows the open payment whatever it prefers', orderOf(shown()), asksNew, 'show a'],
    ['shows the latest of two', orderOf(ended, shown(b)), {}, 'show b'],
    ['shows money, not another account', orderOf(paying), asksNew, 'show a'],
    ['shows money at any price', orderOf(paying), atNewPrice, 'show a'],
    ['shows the named payment beside money', orderOf(paying, shown(b)), { named: ['b'] }, 'show b'],
    ['shows money to one who prefers new', orderOf(paying, shown(b)), { named: ['b'], ...asksNew }, 'show a'],
    ['shows an ended payment to a page that names it', orderOf(ended), namesA, 'show a'],
    ['shows the latest that a page names', orderOf(ended, endedB), { named: ['a', 'b'] }, 'show b'],
    ['shows one of two that a page names', orderOf(ended, endedB), { ...namesA, ...existing }, 'show a'],
    ['refuses a page that prefers one and names none', orderOf(ended), existing, 'refuse'],
    ['refuses one at a price of before', orderOf(shown()), { ...namesA, ...existingAtNewPrice }, 'refuse'],
    ['refuses a page that prefers one and names none beside money', orderOf(paying), existing, 'refuse'],
    ['shows no payment at a price of before', orderOf(ended), { ...namesA, ...atNewPrice }, 'verify a first'],
    ['shows no page a replaced payment', orderOf(closed), namesA, 'open new'],
    ['shows no page a test payment that is lost', orderOf(lost), namesA, 'verify a first'],
    ['shows a page a live payment that is lost', orderOf(lostLive), namesA, 'show a'],
    ['waits for the instance that opens the payment', orderOf(ended, opening(b)), {}, 'wait for b'],
    ['waits for it also at another price', orderOf(opening()), atNewPrice, 'wait for a'],
    ['waits for nobody where a payment has money', orderOf(paying, opening(b)), {}, 'show a'],
    ['waits for a lease of after the clock was read', orderOf(opening()), isEarly, 'wait for a'],
    ['verifies before it opens what was left', orderOf(ended, opening(b)), leaseIsOver, 'verify a first'],
    ['verifies what it has not learned', orderOf(ended, endedB), { verified: ['b'] }, 'verify a first'],
    ['opens another after a live payment', orderOf({ ...ended, opened: live }), knowsA, 'open new'],
    ['opens another after a failure', orderOf(failed), knowsA, 'open new'],
    ['opens another after a reversal', orderOf(reversed), knowsA, 'open new'],
    ['opens another at a new price', orderOf(shown()), { ...atNewPrice, ...knowsA }, 'open new'],
    ['opens another at a new currency', orderOf(shown()), { ...inDollars, ...knowsA }, 'open new'],
    ['opens another for a test payment that is lost', orderOf(lost), knowsA, 'open new'],
    ['opens another for one lost with money', orderOf(lostWithMoney), knowsA, 'open new'],
    [
      'keeps a live payment that is lost after its expiry',
      orderOf(lostLiveEnded),
      { ...asksNew, ...knowsA },
      'show a',
    ],
    ['keeps the latest of two', orderOf(lostLiveEnded, { ...lostLiveEnded, ...b }), asksNew, 'show b'],
    ['keeps it at a new price', orderOf(lostLive), { ...atNewPrice, ...knowsA }, 'show a'],
    ['shows the open payment after it', orderOf(lostLiveEnded, shown(b)), {}, 'show b'],
    ['opens none while an earlier one has a part', orderOf(part, endedB), asksNew, 'show a'],
    ['opens another beside replaced money', orderOf({ ...closed, observed: charged }), {}, 'open new'],
    ['verifies an account past its expiry', orderOf(shown()), isPastExpiry, 'verify a first'],
    ['shows it a moment before', orderOf(shown()), { facts: { serviceNow: expiresMs - 1 } }, 'show a'],
    ['shows it where it is still open', orderOf(shown()), { ...isPastExpiry, ...knowsA }, 'show a'],
  ])('%s', (_name, order, asked, expected) => {
    expect(describeStep(order, asked)).toBe(expected);
  });

  it('shows the payment that has paid the order, also after a reversal', () => {
    const order = orderOf(shown({ observed: observed('reversed', 1000) }), shown(b));
    const paid = { by: 'a', at: at(0), amount: 1000, isReversed: true };
    expect(describeStep({ ...order, reported: { ...order.reported, paid } }, asksNew)).toBe('show a');
  });
});

describe('the order that a request writes to open a payment', () => {
  const opened = (...args: Parameters<typeof stepOf>): readonly Payment[] => {
    const step = stepOf(...args);
    if (step.name !== 'open') throw new Error(step.name);
    return step.order.payments;
  };
  const created = opening({ reference: 'new', createdAt: at(60), lease });

  it('has the new payment with its lease, and the ended ones', () => {
    expect(opened(orderOf(ended), knowsA)).toEqual([ended, created]);
  });

  it('has a new lease for the payment that was left', () => {
    const left = opening({ ...b, createdAt: at(-60) });
    const payments = opened(orderOf(ended, left), { ...knowsA, ...leaseIsOver });
    expect(payments).toEqual([ended, { ...left, lease: created.lease }]);
  });

  it('is of a payment that may exist, unless the service has refused it', () => {
    const mayExist = (order: Order) => stepOf(order, leaseIsOver);
    const refused = opening({ lease: { endsAtMs: 4000, isRefused: true } });
    expect(mayExist(orderOf(opening()))).toMatchObject({ reference: 'a', mayExist: true });
    expect(mayExist(orderOf(refused))).toMatchObject({ reference: 'a', mayExist: false });
    expect(mayExist(orderOf())).toMatchObject({ reference: 'new', mayExist: false });
  });

  it('detaches all that asks for another price, or that the service has lost', () => {
    const lostB = shown({ ...b, ...missing, amount: newPrice });
    const order = orderOf(ended, lostB, opening({ reference: 'c' }), unseen({ reference: 'd' }));
    expect(opened(order, { ...atNewPrice, verified: ['a', 'b'], ...leaseIsOver })).toEqual([
      { ...ended, state: 'closed' },
      { ...lostB, state: 'closed' },
      unseen({ reference: 'c' }),
      unseen({ reference: 'd' }),
      { ...created, amount: newPrice },
    ]);
  });

  it('keeps replaced payments replaced', () => {
    expect(opened(orderOf(closed), atNewPrice)).toEqual([closed, { ...created, amount: newPrice }]);
  });
});

it('the payment that a request has left is closed a minute after its lease', () => {
  const order = orderOf(ended, opening(b));
  expect(closeAbandoned(order, 64_999)).toBe(order);
  expect(closeAbandoned(order, 65_000).payments).toEqual([ended, unseen(b)]);
  expect(closeAbandoned(orderOf(ended), 65_000)).toEqual(orderOf(ended));
});
