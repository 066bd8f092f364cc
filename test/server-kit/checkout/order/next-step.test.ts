import { describe, expect, it } from 'vitest';
import {
  type Facts,
  nextStep,
  type SessionRequest,
} from '../../../../server-kit/checkout/order/next-step.ts';
import type { Order, Payment } from '../../../../server-kit/checkout/order/order.ts';
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

/** What a request does next. Every payment has been tried, unless `tried` says otherwise. */
function stepOf(order: Order, { request, named = [], tried, verified = [], facts }: Asked = {}) {
  const references = order.payments.map(({ reference }) => reference);
  return nextStep(
    order,
    {
      ...{ amount: price, named: new Set(named), preference: undefined, reference: 'new' },
      ...{ lease: { by: 'two', endsAtMs: 9000 }, ...request },
    },
    {
      ...{ tried: new Set(tried ?? references), verified: new Set(verified) },
      ...{ storeNow: 4000, serviceNow: openedMs + minuteMs, ...facts },
    },
  );
}

/** The step in a few words. */
function describeStep(...args: Parameters<typeof stepOf>): string {
  const step = stepOf(...args);
  switch (step.name) {
    case 'show':
      return `show ${step.payment.reference}`;
    case 'verify':
      return `verify ${step.references.join(', ')}${step.isForDecision ? ' to decide' : ''}`;
    case 'wait':
      return `wait for ${step.reference}`;
    case 'open':
      return `open ${step.reference}`;
    case 'refuse':
      return 'refuse';
  }
}

const expired = observed('expired');
const ended = shown({ observed: expired });
const charged = observed('charged', 1000);
const missing = { missingSince: at(60) };
const liveAccount = { ...account, liveMode: true };
const asksNew = { request: { preference: 'new' } } as const;
const atNewPrice = { request: { amount: newPrice } } as const;

describe('a request', () => {
  it.each<[string, Order, Asked, string]>([
    ['opens the first payment', orderOf(), {}, 'open new'],
    ['verifies every payment that counts', orderOf(shown(), shown(b)), { tried: [] }, 'verify a, b'],
    ['verifies none twice', orderOf(shown(), shown(b)), { tried: ['b'] }, 'verify a'],
    [
      'verifies none that does not count',
      orderOf(shown({ state: 'closed' }), unseen(b), opening({ reference: 'c' })),
      { tried: [] },
      'wait for c',
    ],
    ['shows the open payment', orderOf(shown()), {}, 'show a'],
    ['shows it whatever it prefers', orderOf(shown()), asksNew, 'show a'],
    ['shows the latest of two', orderOf(ended, shown(b)), {}, 'show b'],
    ['shows the payment that has money', orderOf(shown({ observed: charged }), shown(b)), {}, 'show a'],
    ['shows it, not another account', orderOf(shown({ observed: charged })), asksNew, 'show a'],
    ['shows it at any price', orderOf(shown({ observed: charged })), atNewPrice, 'show a'],
    [
      'shows the named payment of an order that has money',
      orderOf(shown({ observed: charged }), shown(b)),
      { named: ['b'] },
      'show b',
    ],
    [
      'shows the named payment of an order that has money not to one who prefers a new one',
      orderOf(shown({ observed: charged }), shown(b)),
      { named: ['b'], ...asksNew },
      'show a',
    ],
    ['shows an ended payment to a page that names it', orderOf(ended), { named: ['a'] }, 'show a'],
    [
      'shows the latest that a page names',
      orderOf(ended, shown({ ...b, observed: expired })),
      { named: ['a', 'b'] },
      'show b',
    ],
    [
      'shows an ended payment to a page that prefers it',
      orderOf(ended),
      { named: ['a'], request: { preference: 'existing' } },
      'show a',
    ],
    [
      'refuses a page that prefers one and names none',
      orderOf(ended),
      { request: { preference: 'existing' } },
      'refuse',
    ],
    [
      'refuses a page that prefers one at a price of before',
      orderOf(shown()),
      { named: ['a'], request: { preference: 'existing', amount: newPrice } },
      'refuse',
    ],
    [
      'refuses a page that prefers one and names none also where a payment has money',
      orderOf(shown({ observed: charged })),
      { request: { preference: 'existing' } },
      'refuse',
    ],
    [
      'does not show a page its payment at a price of before',
      orderOf(ended),
      { named: ['a'], ...atNewPrice },
      'verify a to decide',
    ],
    [
      'does not show a page a replaced payment',
      orderOf(shown({ state: 'closed' })),
      { named: ['a'] },
      'open new',
    ],
    [
      'does not show a page a test payment that is lost',
      orderOf(shown(missing)),
      { named: ['a'] },
      'verify a to decide',
    ],
    [
      'shows a page a live payment that is lost',
      orderOf(shown({ ...missing, opened: liveAccount })),
      { named: ['a'] },
      'show a',
    ],
    ['waits for the instance that opens the payment', orderOf(ended, opening(b)), {}, 'wait for b'],
    ['waits for it also at another price', orderOf(opening()), atNewPrice, 'wait for a'],
    [
      'waits for nobody where a payment has money',
      orderOf(shown({ observed: charged }), opening(b)),
      {},
      'show a',
    ],
    ['opens the payment that was left', orderOf(opening()), { facts: { storeNow: 5000 } }, 'open a'],
    [
      'verifies before it opens the payment that was left',
      orderOf(ended, opening(b)),
      { facts: { storeNow: 5000 } },
      'verify a to decide',
    ],
    ['opens none without a verification', orderOf(ended), {}, 'verify a to decide'],
    [
      'verifies what it has not learned',
      orderOf(ended, shown({ ...b, observed: expired })),
      { verified: ['b'] },
      'verify a to decide',
    ],
    [
      'opens another once all has ended',
      orderOf(ended, shown({ ...b, observed: expired })),
      { verified: ['a', 'b'] },
      'open new',
    ],
    [
      'opens another after a failure',
      orderOf(shown({ observed: observed('failed') })),
      { verified: ['a'] },
      'open new',
    ],
    [
      'opens another after money that was taken back',
      orderOf(shown({ observed: observed('reversed', 1000) })),
      { verified: ['a'] },
      'open new',
    ],
    ['opens another at a new price', orderOf(shown()), { ...atNewPrice, verified: ['a'] }, 'open new'],
    [
      'opens another at a new currency',
      orderOf(shown()),
      { request: { amount: { ...price, currency: 'USD' } }, verified: ['a'] },
      'open new',
    ],
    [
      'opens another for a test payment that is lost',
      orderOf(shown(missing)),
      { verified: ['a'] },
      'open new',
    ],
    [
      'opens another for a test payment that is lost with money',
      orderOf(shown({ ...missing, observed: observed('failed', 400) })),
      { verified: ['a'] },
      'open new',
    ],
    [
      'keeps a live payment that is lost after its expiry',
      orderOf(shown({ ...missing, opened: liveAccount, observed: expired })),
      { ...asksNew, verified: ['a'] },
      'show a',
    ],
    [
      'keeps a live payment that is lost at a new price',
      orderOf(shown({ ...missing, opened: liveAccount })),
      { ...atNewPrice, verified: ['a'] },
      'show a',
    ],
    [
      'shows the open payment after a live one that is lost',
      orderOf(shown({ ...missing, opened: liveAccount, observed: expired }), shown(b)),
      {},
      'show b',
    ],
    ['keeps a live payment that is lost', orderOf(shown({ ...missing, opened: liveAccount })), {}, 'show a'],
    [
      'opens none while an earlier payment has a part',
      orderOf(shown({ observed: observed('awaiting_charge', 1) }), shown({ ...b, observed: expired })),
      asksNew,
      'show a',
    ],
    [
      'opens another where only a replaced payment has money',
      orderOf(shown({ state: 'closed', observed: charged })),
      {},
      'open new',
    ],
    [
      'verifies an account past its expiry',
      orderOf(shown()),
      { facts: { serviceNow: expiresMs } },
      'verify a to decide',
    ],
    ['shows it a moment before', orderOf(shown()), { facts: { serviceNow: expiresMs - 1 } }, 'show a'],
    [
      'shows it where it is still open',
      orderOf(shown()),
      { facts: { serviceNow: expiresMs }, verified: ['a'] },
      'show a',
    ],
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
  const created = {
    ...{ state: 'opening', reference: 'new', amount: price, createdAt: at(60) },
    lease: { by: 'two', endsAtMs: 9000 },
  };

  it('has the new payment with its lease, and the ended ones', () => {
    expect(opened(orderOf(ended), { verified: ['a'] })).toEqual([ended, created]);
  });

  it('has a new lease for the payment that was left', () => {
    const left = opening({ ...b, createdAt: at(-60) });
    expect(opened(orderOf(ended, left), { verified: ['a'], facts: { storeNow: 5000 } })).toEqual([
      ended,
      { ...left, lease: created.lease },
    ]);
  });

  it('detaches all that asks for another price, or that the service has lost', () => {
    const payments = [
      ended,
      shown({ ...b, ...missing, amount: newPrice }),
      opening({ reference: 'c' }),
      unseen({ reference: 'd' }),
    ];
    expect(
      opened(orderOf(...payments), { ...atNewPrice, verified: ['a', 'b'], facts: { storeNow: 5000 } }),
    ).toEqual([
      { ...ended, state: 'closed' },
      { ...payments[1], state: 'closed' },
      unseen({ reference: 'c' }),
      payments[3],
      { ...created, amount: newPrice },
    ]);
  });

  it('keeps replaced payments replaced', () => {
    const replaced = shown({ state: 'closed', observed: charged });
    expect(opened(orderOf(replaced))).toEqual([replaced, created]);
  });
});
