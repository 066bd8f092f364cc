import { describe, expect, it } from 'vitest';
import type { CreatePaymentRequest } from '../../../server-kit/index.ts';
import { createSandbox } from '../../../server-kit/sandbox/index.ts';
import type { Session } from '../../../src/contract/index.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import {
  changedOrder,
  codeOf,
  createCart,
  down,
  hanging,
  onlyFor,
  readSession,
  refusing,
} from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';
import { madeUp, naming, preferring } from './naming.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const partial = { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' } as const;

/** A shop whose cookie is the id of the order. */
const byCookie = ({ headers }: CreatePaymentRequest) => ({
  ...order,
  orderId: headers.get('cookie') ?? order.orderId,
});

/** A shop with a session, and what a page of it does. */
async function openedShop(...input: Parameters<typeof createNotifiedShop>) {
  const shop = createNotifiedShop(...input);
  const first = await shop.open();
  shop.clock.advance(5000);
  const { control } = shop.sandbox;
  return {
    ...shop,
    first,
    countAccounts: () => control.listPayments().length,
    /** The page is reloaded in a browser that has stored these payments. */
    reload: (...stored: Session[]) => shop.post(naming(...stored)),
    /** The shopper asks for another account. */
    openNext: (...stored: Session[]) =>
      readSession(shop.post({ ...naming(...stored), ...preferring('new') })),
    expire: () => shop.clock.advance(31 * minuteMs),
    fail: ({ reference }: Session) => control.updatePayment(reference, { status: 'failed' }),
    payPart: ({ reference, account }: Session) => {
      control.updatePayment(reference, partial);
      control.transfer({ accountNumber: account.number, amount: 5000 });
    },
  };
}

type OpenedShop = Awaited<ReturnType<typeof openedShop>>;

describe('a reload in a browser that has stored a payment of the order', () => {
  const ends: [string, (shop: OpenedShop) => unknown, object][] = [
    ['is open', () => {}, { outcome: 'pending' }],
    ['has expired', ({ expire }) => expire(), { outcome: 'expired' }],
    ['has failed', ({ fail, first }) => fail(first), { outcome: 'failed' }],
    [
      'has expired, a week ago',
      ({ expire, clock }) => {
        expire();
        clock.advance(7 * dayMs);
      },
      { outcome: 'expired' },
    ],
    ['is paid in part', ({ payPart, first }) => payPart(first), { outcome: 'pending', chargedAmount: 5000 }],
    [
      'is paid in part, and has expired',
      ({ payPart, first, expire }) => {
        payPart(first);
        expire();
      },
      { outcome: 'expired', chargedAmount: 5000 },
    ],
    ['is paid', ({ pay, first }) => pay(first.account.number), { outcome: 'paid' }],
  ];

  it.each(ends)('shows it where it %s, and opens no other', async (_name, end, expected) => {
    const shop = await openedShop();
    await end(shop);
    await shop.delivered();
    const response = await shop.reload(shop.first);
    expect(response.status).toBe(200);
    expect(await readSession(response)).toMatchObject({ reference: shop.first.reference, ...expected });
    expect(shop.countAccounts()).toBe(1);
  });

  it('shows it where the money was taken back', async () => {
    const { first, pay, delivered, sandbox, reload, clock, countAccounts } = await openedShop();
    pay(first.account.number);
    await delivered();
    sandbox.control.updatePayment(first.reference, { status: 'reversed' });
    clock.advance(minuteMs);
    expect(await readSession(reload(first))).toMatchObject({ outcome: 'reversed' });
    expect(countAccounts()).toBe(1);
  });

  it('shows it where it ended with too little money', async () => {
    const { first, sandbox, reload, clock, countAccounts } = await openedShop({}, {});
    sandbox.control.updatePayment(first.reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
    });
    sandbox.control.transfer({ accountNumber: first.account.number, amount: 5000 });
    clock.advance(5000);
    expect(await readSession(reload(first))).toMatchObject({ outcome: 'amountMismatch' });
    expect(countAccounts()).toBe(1);
  });

  it('verifies it first: late money that no callback has reported is shown', async () => {
    const { open, clock, sandbox, post } = createWiredShop();
    const first = await open();
    clock.advance(31 * minuteMs);
    sandbox.control.transfer({ accountNumber: first.account.number, amount: order.amount.value });
    const late = { reference: first.reference, outcome: 'paid', receivedLate: true };
    expect(await readSession(post(naming(first)))).toMatchObject(late);
  });

  it('shows what is recorded while the service is down', async () => {
    const { first, expire, wire, reload, countAccounts } = await openedShop();
    expire();
    wire.intercept = down;
    const response = await reload(first);
    expect(response.status).toBe(200);
    expect(await readSession(response)).toMatchObject({ reference: first.reference, outcome: 'pending' });
    expect(countAccounts()).toBe(1);
  });

  it('shows what another instance has recorded while the service did not respond', async () => {
    const one = createWiredShop();
    const { clock, sandbox, store } = one;
    const first = await one.open();
    clock.advance(31 * minuteMs);
    const second = await one.open();
    const two = createWiredShop({ store }, {}, { clock, sandbox });
    one.wire.intercept = hanging;
    const reload = readSession(one.post(naming(first)));
    await clock.untilWaiting(4000);
    sandbox.control.transfer({ accountNumber: second.account.number, amount: order.amount.value });
    clock.advance(3000);
    await two.get(second);
    clock.advance(1000);
    expect(await reload).toMatchObject({
      reference: first.reference,
      paymentReference: second.reference,
      outcome: 'paid',
    });
  });

  it('shows it also where its secret is wrong', async () => {
    const { first, post, expire, countAccounts } = await openedShop();
    expire();
    const response = await post(naming(madeUp(first.reference)));
    expect(await readSession(response)).toMatchObject({ reference: first.reference, outcome: 'expired' });
    expect(countAccounts()).toBe(1);
  });

  it('counts against the limit of the order', async () => {
    const { first, reload } = await openedShop({
      limits: { sessionsPerOrder: { limit: 2, perSeconds: 60 } },
    });
    expect([(await reload(first)).status, (await reload(first)).status]).toEqual([200, 429]);
  });

  it('reads the tenth payment that is named, and no eleventh', async () => {
    const { first, post, expire, countAccounts } = await openedShop();
    expire();
    const others = (count: number) => Array.from({ length: count }, (_, index) => madeUp(`tc_${index}`));
    expect(await readSession(post(naming(...others(9), first)))).toMatchObject({ outcome: 'expired' });
    expect(countAccounts()).toBe(1);
    expect(await readSession(post(naming(...others(10), first)))).toMatchObject({ outcome: 'pending' });
    expect(countAccounts()).toBe(2);
  });
});

describe('a browser that has stored nothing of the order', () => {
  it('gets what it gets today: another account after the first has expired', async () => {
    const { expire, post, first } = await openedShop();
    expire();
    const response = await post();
    expect(response.status).toBe(201);
    expect((await readSession(response)).reference).not.toBe(first.reference);
  });
});

describe('two payments of one order', () => {
  /** The first has expired; the second is open. */
  async function shopWithTwo(...input: Parameters<typeof createNotifiedShop>) {
    const shop = await openedShop(...input);
    shop.expire();
    const second = await shop.openNext(shop.first);
    shop.clock.advance(5000);
    return { ...shop, second };
  }

  it('are one after an explicit request', async () => {
    const { first, second, countAccounts } = await shopWithTwo();
    expect(second.reference).not.toBe(first.reference);
    expect(second.outcome).toBe('pending');
    expect(countAccounts()).toBe(2);
  });

  it('show the newer one that is stored, in whichever order they are named', async () => {
    const { first, second, reload, expire } = await shopWithTwo();
    for (const outcome of ['pending', 'expired']) {
      for (const stored of [[first, second], [second, first], [second]]) {
        const shown = { reference: second.reference, outcome };
        expect(await readSession(reload(...stored))).toMatchObject(shown);
      }
      expire();
    }
  });

  it('are polled as soon as the one that is charged needs it', async () => {
    const { first, second, reload, pay, clock } = await shopWithTwo({}, { confirmationSeconds: 60 });
    pay(second.account.number);
    clock.advance(5000);
    expect((await reload(first)).headers.get('checkout-next-poll-ms')).toBe('2000');
  });

  it('show the older one to a browser that knows only that one', async () => {
    const { first, reload } = await shopWithTwo();
    expect(await readSession(reload(first))).toMatchObject({
      reference: first.reference,
      outcome: 'expired',
    });
  });

  it('give such a browser the open one when it asks for another', async () => {
    const { first, second, openNext, countAccounts } = await shopWithTwo();
    expect(await openNext(first)).toMatchObject({ reference: second.reference });
    expect(countAccounts()).toBe(2);
  });

  it.each([
    ['paid', {}],
    ['charged', { confirmationSeconds: 60 }],
  ])('show the one that is %s, whichever is stored', async (_name, sandbox) => {
    const { first, second, reload, pay, clock, openNext } = await shopWithTwo({}, sandbox);
    pay(second.account.number);
    clock.advance(5000);
    for (const stored of [[first], [second], [first, second]]) {
      const shown = await readSession(reload(...stored));
      // The reference stays the one that the page knows, so that it keeps its claim and its secret.
      expect(shown.reference).toBe(stored.at(-1)?.reference);
      expect(shown.paymentReference ?? shown.reference).toBe(second.reference);
    }
    expect(await openNext(first)).toMatchObject({ reference: second.reference });
  });
});

describe('a browser that has stored payments of other orders', () => {
  it('gets the session of the order that the server names, and nothing of the others', async () => {
    const { first, post, countAccounts } = await openedShop({ createPayment: byCookie });
    const response = await post({ ...naming(first), cookie: 'order-2' });
    expect(response.status).toBe(201);
    const text = await response.text();
    for (const other of [first.reference, first.clientSecret, first.account.number, 'order-1'])
      expect(text).not.toContain(other);
    expect(countAccounts()).toBe(2);
  });

  it('gets the payment of each order that it has stored, expired too', async () => {
    const { first, post, expire } = await openedShop({ createPayment: byCookie });
    const second = await readSession(post({ cookie: 'order-2' }));
    expire();
    for (const [cookie, { reference }] of [
      ['order-1', first],
      ['order-2', second],
    ] as const) {
      const shown = await readSession(post({ ...naming(second, first), cookie }));
      expect(shown).toMatchObject({ reference, outcome: 'expired' });
    }
  });

  it('shows the next person their own order after the first has paid', async () => {
    const { first, post, pay, delivered } = await openedShop({ createPayment: byCookie });
    pay(first.account.number);
    await delivered();
    const response = await post({ ...naming(first), cookie: 'order-2' });
    expect([response.status, await readSession(response)]).toMatchObject([201, { outcome: 'pending' }]);
  });
});

describe('a stored payment that is not the one to pay any more', () => {
  it('gives way where the order costs something else: it is replaced', async () => {
    const cart = createCart();
    const { first, reload, get } = await openedShop({ createPayment: cart.createPayment });
    cart.change();
    const next = await readSession(reload(first));
    expect(next).toMatchObject({ amount: changedOrder.amount, outcome: 'pending' });
    expect(next).not.toHaveProperty('orderAmount');
    expect(await readSession(get(first))).toMatchObject({ outcome: 'replaced' });
    expect(await readSession(reload(first))).toMatchObject({ reference: next.reference });
  });

  it('is not shown again where the order costs what it did once: money on it is unexpected', async () => {
    const { first, reload, checkout } = await openedShop();
    await checkout.createSession(changedOrder);
    const third = await readSession(reload(first));
    expect(third).toMatchObject({ amount: first.amount, outcome: 'pending' });
    expect(third.reference).not.toBe(first.reference);
  });

  it('stays where it holds money, whatever the order costs', async () => {
    const cart = createCart();
    const { first, payPart, reload, clock } = await openedShop({ createPayment: cart.createPayment });
    payPart(first);
    clock.advance(5000);
    cart.change();
    expect(await readSession(reload(first))).toMatchObject({
      reference: first.reference,
      amount: order.amount,
    });
  });

  it('gives way where the service has lost it, in test mode', async () => {
    const { first, store, clock, expire } = await openedShop();
    expire();
    const restarted = createWiredShop({ store }, {}, { clock, sandbox: createSandbox({ now: clock.now }) });
    const response = await restarted.post(naming(first));
    expect(response.status).toBe(201);
  });
});

describe('a page that prefers another payment', () => {
  it('gets the open one, and no second', async () => {
    const { first, openNext, countAccounts } = await openedShop();
    expect(await openNext(first)).toMatchObject({ reference: first.reference, outcome: 'pending' });
    expect(countAccounts()).toBe(1);
  });

  it('gets none while the service cannot say what the first one holds', async () => {
    const { first, expire, wire, post, countAccounts } = await openedShop();
    expire();
    wire.intercept = onlyFor('verify', refusing(503));
    expect((await post({ ...naming(first), ...preferring('new') })).status).toBe(503);
    expect(countAccounts()).toBe(1);
  });

  it.each(['payment=new, wait=5', 'handling=lenient,  Payment = "new" ; a=b', 'PAYMENT=new;x'])(
    'may say so beside other preferences: %s',
    async (prefer) => {
      const { first, expire, post } = await openedShop();
      expire();
      expect((await post({ ...naming(first), prefer })).status).toBe(201);
    },
  );

  it.each([
    'payment=newest',
    'payment',
    'payment=',
    'other-payment=new',
    'a; payment=new',
    'x="payment=new"',
  ])('has not said so with %s', async (prefer) => {
    const { first, expire, post } = await openedShop();
    expire();
    expect((await post({ ...naming(first), prefer })).status).toBe(200);
  });
});

describe('a page that prefers an existing payment', () => {
  const existing = preferring('existing');

  it('gets the stored one, in any state, and none is made', async () => {
    const { first, post, expire, pay, delivered, countAccounts } = await openedShop();
    const shown = () => readSession(post({ ...naming(first), ...existing }));
    expect(await shown()).toMatchObject({ reference: first.reference, outcome: 'pending' });
    expire();
    expect(await shown()).toMatchObject({ reference: first.reference, outcome: 'expired' });
    pay(first.account.number);
    await delivered();
    expect(await shown()).toMatchObject({ reference: first.reference, outcome: 'paid', receivedLate: true });
    expect(countAccounts()).toBe(1);
  });

  it('gets the payment that has paid the order, if it knows another one of the order', async () => {
    const { first, expire, openNext, pay, delivered, post } = await openedShop();
    expire();
    const second = await openNext(first);
    pay(second.account.number);
    await delivered();
    const response = await post({ ...naming(first), ...existing });
    expect(await readSession(response)).toMatchObject({
      reference: first.reference,
      paymentReference: second.reference,
      outcome: 'paid',
    });
  });

  it.each([
    ['nothing', []],
    ['a payment that does not exist', [madeUp('tc_unknown')]],
  ])('gets 404 where it has stored %s, also of a paid order', async (_name, stored) => {
    const { first, pay, delivered, post, wire, countAccounts } = await openedShop();
    pay(first.account.number);
    await delivered();
    const before = wire.calls.length;
    const response = await post({ ...(stored.length > 0 && naming(...stored)), ...existing });
    expect([response.status, await codeOf(response.clone())]).toEqual([404, 'session_unknown']);
    expect(await response.text()).not.toContain(first.reference);
    expect(wire.calls.length).toBe(before);
    expect(countAccounts()).toBe(1);
  });

  it('gets 404 for a payment of another order', async () => {
    const { first, post, countAccounts } = await openedShop({ createPayment: byCookie });
    const response = await post({ ...naming(first), ...existing, cookie: 'order-2' });
    expect([response.status, await codeOf(response)]).toEqual([404, 'session_unknown']);
    expect(countAccounts()).toBe(1);
  });

  it('gets 404 where the order costs something else, and nothing is replaced', async () => {
    const cart = createCart();
    const { first, post, get } = await openedShop({ createPayment: cart.createPayment });
    cart.change();
    expect((await post({ ...naming(first), ...existing })).status).toBe(404);
    expect(await readSession(get(first))).toMatchObject({ outcome: 'pending' });
  });

  it('gets 404 where its payment is replaced', async () => {
    const cart = createCart();
    const { first, post, open } = await openedShop({ createPayment: cart.createPayment });
    cart.change();
    await open();
    expect((await post({ ...naming(first), ...existing })).status).toBe(404);
  });
});

describe('requests for one order at the same time', () => {
  it('each get what they ask for: the stored one, another, and the order’s', async () => {
    const { first, expire, post, countAccounts } = await openedShop();
    expire();
    const [none, reloaded, next, again] = await Promise.all([
      readSession(post()),
      readSession(post(naming(first))),
      readSession(post({ ...naming(first), ...preferring('new') })),
      readSession(post(naming(first))),
    ]);
    expect([reloaded.reference, again.reference]).toEqual([first.reference, first.reference]);
    expect(next).toMatchObject({ outcome: 'pending' });
    expect(none.reference).toBe(next.reference);
    expect(countAccounts()).toBe(2);
  });

  it('open no account where all of them are reloads', async () => {
    const { first, expire, reload, countAccounts } = await openedShop();
    expire();
    const responses = await Promise.all(Array.from({ length: 5 }, () => reload(first)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(countAccounts()).toBe(1);
  });
});

describe('POST …/links from a browser that has stored a payment of the order', () => {
  const postLink = ({ post }: OpenedShop, headers: Record<string, string>) =>
    post(headers, '{}', '/checkout/links');

  it('leads to the page of the shop that shows it, expired too', async () => {
    const shop = await openedShop();
    shop.expire();
    const response = await postLink(shop, naming(shop.first));
    expect([response.status, await readSession(response)]).toMatchObject([
      200,
      { reference: shop.first.reference, outcome: 'expired', authorizationUrl: 'https://shop.example/' },
    ]);
    expect(shop.sandbox.control.listCheckoutLinks()).toEqual([]);
  });

  it('makes a link for another payment when it prefers one', async () => {
    const shop = await openedShop();
    shop.expire();
    const response = await postLink(shop, { ...naming(shop.first), ...preferring('new') });
    expect(response.status).toBe(201);
    expect(shop.sandbox.control.listCheckoutLinks()).toHaveLength(1);
  });

  it('makes none for an existing payment', async () => {
    const shop = await openedShop();
    expect((await postLink(shop, preferring('existing'))).status).toBe(404);
    expect(shop.sandbox.control.listCheckoutLinks()).toEqual([]);
  });
});

describe('checkout.createSession', () => {
  it('gets or creates, as before', async () => {
    const { first, expire, checkout } = await openedShop();
    expect((await checkout.createSession(order)).reference).toBe(first.reference);
    expire();
    expect((await checkout.createSession(order)).reference).not.toBe(first.reference);
  });
});
