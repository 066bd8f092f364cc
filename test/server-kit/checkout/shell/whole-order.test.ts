import { describe, expect, it } from 'vitest';
import { createMemoryBus } from '../../../../server-kit/checkout/ports/memory-bus.ts';
import type { PaidEvent } from '../../../../server-kit/index.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { nextTurn, pass } from '../../kit/test-clock.ts';
import { changedOrder, hanging, onlyFor, readSession, readView, refusing } from '../../kit/wire-faults.ts';
import { order } from '../../kit/wired-shop.ts';
import { naming, preferring } from './naming.ts';

const minuteMs = 60_000;
const { value: price } = order.amount;

/** A shop without callbacks, whose order has an account that has expired, and nothing else. */
async function shopWithExpired(...input: Parameters<typeof createNotifiedShop>) {
  const shop = createNotifiedShop(...input);
  shop.loseCallbacks();
  const first = await shop.open();
  shop.clock.advance(31 * minuteMs);
  return { ...shop, first };
}

/** The same with a second account, which is open. */
async function shopWithTwo(...input: Parameters<typeof createNotifiedShop>) {
  const shop = await shopWithExpired(...input);
  const second = await shop.open();
  shop.clock.advance(5000);
  return { ...shop, second };
}

describe('an account that is handed out after the request for it had failed', () => {
  it.each([
    ['nothing has come', false, 2],
    ['late money is on the account before', true, 1],
  ])('waits for what the service says of the one before: %s', async (_what, isPaid, count) => {
    const { first, pay, during, post, open, accounts } = await shopWithExpired();
    expect((await during(onlyFor('payments', refusing(429)), post)).status).toBe(503);
    expect((await during(onlyFor('verify', refusing(503)), post)).status).toBe(503);
    expect(accounts()).toHaveLength(1);
    if (isPaid) pay(first.account.number);
    expect(await open()).toMatchObject({ outcome: isPaid ? 'paid' : 'pending' });
    expect(accounts()).toHaveLength(count);
  });
});

describe('money on an earlier account of the order', () => {
  const paidByFirst = (first: Session) => ({
    ...{ paymentReference: first.reference, account: first.account },
    ...{ outcome: 'paid', receivedLate: true, chargedAmount: price },
  });

  it('reaches a request that is held for the later one, even if nobody polls the earlier one', async () => {
    const { hold, second, first, pay, clock } = await shopWithTwo();
    const { response } = await hold(second);
    pay(first.account.number);
    await pass(clock, 2500);
    const expected = { reference: second.reference, ...paidByFirst(first) };
    expect(await readView(response)).toMatchObject(expected);
  });

  it('reaches a request that another instance holds, while its own verification hangs', async () => {
    const bus = createMemoryBus();
    const { clock, first, second, pay, hold, get, another, notified } = await shopWithTwo({ bus });
    const two = another({ bus });
    const { response } = await hold(second, two);
    two.wire.intercept = hanging;
    await pass(clock, 2500);
    pay(first.account.number);
    await get(first);
    clock.advance(1);
    expect(await readView(response)).toMatchObject(paidByFirst(first));
    expect(notified).toEqual(['order-1:expired', 'order-1:paid']);
  });

  it.each(['/checkout/sessions', '/checkout/links'])(
    'that is recorded while the next one is being made at %s is what the response shows',
    async (path) => {
      const shop = await shopWithExpired({}, { confirmationSeconds: 60 });
      shop.wire.intercept = async (called, send) => {
        if (!called.endsWith('/payments') && !called.endsWith('/checkout')) return send();
        shop.wire.intercept = undefined;
        const response = await send();
        shop.pay(shop.first.account.number);
        await shop.viewAfter(3000, shop.first);
        return response;
      };
      const response = await shop.post({}, '{}', path);
      expect(response.status).toBe(200);
      const authorizationUrl = path.endsWith('links') ? { authorizationUrl: 'https://shop.example/' } : {};
      const { account } = shop.first;
      expect(await response.json()).toMatchObject({ status: 'charged', account, ...authorizationUrl });
    },
  );
});

describe('an order that was paid twice', () => {
  it('wakes a request that is held for the first payment when the second changes', async () => {
    const { hold, first, second, pay, viewAfter, clock } = await shopWithTwo();
    pay(first.account.number);
    await viewAfter(0, first);
    clock.advance(5000);
    const { response } = await hold(first);
    pay(second.account.number);
    await viewAfter(5000, second);
    clock.advance(100);
    expect(await readView(response)).toMatchObject({ orderChargedAmount: 2 * price });
  });

  it('stays paid, for both pages, when the second is taken back', async () => {
    const { first, second, pay, setStatus, viewAfter, movements } = await shopWithTwo();
    for (const session of [first, second]) {
      pay(session.account.number);
      await viewAfter(61_000, session);
    }
    setStatus(second, 'reversed');
    for (const one of [second, first])
      expect(await viewAfter(61_000, one)).toMatchObject({ outcome: 'paid' });
    expect(movements).toEqual([
      ['order-1:expired', 0],
      ['order-1:paid', price],
      [`order-1:unexpectedMoney:${second.reference}:1`, price, 'orderPaid'],
      [`order-1:unexpectedMoneyReversed:${second.reference}:2`, price],
    ]);
  });
});

describe('a payment that a changed cart has replaced', () => {
  it('is verified for a request that is held for it, also where the order has no other account', async () => {
    const { open, post, during, changeCart, hold, pay, clock } = createNotifiedShop();
    const first = await open();
    changeCart();
    clock.advance(5000);
    expect((await during(onlyFor('payments', refusing(503)), post)).status).toBe(503);
    clock.advance(5000);
    const { response } = await hold(first);
    pay(first.account.number);
    await pass(clock, 3000);
    expect(await readView(response)).toMatchObject({ outcome: 'replaced', chargedAmount: price });
  });
});

describe('more money than the order costs', () => {
  it('is told to onPaid as excess or as unexpected, and never as both', async () => {
    const excess: unknown[] = [];
    let isReady = false;
    const shop = createNotifiedShop({
      onPaid: (event: PaidEvent) => {
        if (!isReady) throw new Error('not now');
        excess.push([event.excess?.value, event.money.amount.value, event.money.total.value]);
      },
    });
    const session = await shop.open();
    shop.accept(session, 'ANY');
    for (const amount of [price + 5, 1000]) {
      shop.pay(session.account.number, amount);
      await shop.delivered();
      shop.clock.advance(61_000);
    }
    isReady = true;
    await nextTurn();
    await shop.checkout.settled();
    await shop.roundAfter(minuteMs);
    expect(excess).toEqual([[5, price + 5, price + 1005]]);
    expect(shop.movements).toEqual([[`order-1:unexpectedMoney:${session.reference}:1`, 1000, 'surplus']]);
  });
});

describe('money on a payment that was closed before its account was known', () => {
  it.each([
    ['an account', true],
    ['an account', false],
    ['a link, which the service has sent by e-mail', true],
  ])('is unexpected, on %s, with a callback: %s', async (kind, hasCallbacks) => {
    const shop = createNotifiedShop();
    if (!hasCallbacks) shop.loseCallbacks();
    shop.wire.intercept = async (_path, send) => {
      shop.wire.intercept = undefined;
      await send();
      throw new TypeError('fetch failed');
    };
    const { reference } = kind === 'an account' ? await shop.open() : await shop.checkout.createLink(order);
    const links = shop.sandbox.control.listCheckoutLinks();
    const isOther = (one: { reference: string }) => one.reference !== reference;
    const lost =
      kind === 'an account' ? shop.accounts().find(isOther) : shop.visit(links.find(isOther) ?? {});
    for (let hours = 0; hours < 4; hours++) await shop.roundAfter(hasCallbacks ? 0 : 60 * minuteMs);
    const before = hasCallbacks ? [] : [['order-1:expired', 0]];
    expect(shop.movements).toEqual(before);
    shop.pay(lost?.accountNumber ?? '');
    await shop.delivered();
    if (!hasCallbacks) for (let hours = 0; hours < 8; hours++) await shop.roundAfter(60 * minuteMs);
    const unexpected = [`order-1:unexpectedMoney:${lost?.reference}:1`, price, 'replacedAccount'];
    expect(shop.movements).toEqual([...before, unexpected]);
  });
});

describe('an order that costs something else after money has come', () => {
  const both = { amount: order.amount, orderAmount: changedOrder.amount };

  it.each([
    ['is paid', price, {}, { outcome: 'paid' }],
    ['is paid in part', 5000, {}, { outcome: 'pending', chargedAmount: 5000 }],
  ])(
    'names both amounts where the payment %s, and logs each once',
    async (_name, amount, sandbox, expected) => {
      const paid: PaidEvent['order'][] = [];
      const shop = createNotifiedShop({ onPaid: ({ order }) => void paid.push(order) }, sandbox);
      const first = await shop.open();
      expect(first).not.toHaveProperty('orderAmount');
      shop.accept(first, 'PARTIAL');
      shop.pay(first.account.number, amount);
      await shop.delivered();
      shop.clock.advance(5000);
      shop.changeCart();
      const { reference } = first;
      const { orderId } = order;
      for (const headers of [{}, naming(first), { ...naming(first), ...preferring('existing') }])
        expect(await readSession(shop.post(headers))).toMatchObject({ reference, ...expected, ...both });
      expect(await readSession(shop.post({}, '{}', '/checkout/links'))).toMatchObject(both);
      const other = { ...order, amount: { value: 1, currency: 'NGN' } } as const;
      expect(await shop.checkout.createSession(other)).toMatchObject({ orderAmount: other.amount });
      expect(shop.log.filter(({ type }) => type === 'orderAmountChanged')).toEqual(
        [changedOrder, other].map(({ amount: orderAmount }) => ({
          ...{
            level: 'warn',
            type: 'orderAmountChanged',
            reference,
            orderId,
            amount: order.amount,
            orderAmount,
          },
        })),
      );
      expect(paid).toEqual(amount === price ? [{ orderId, amount: order.amount }] : []);
    },
  );

  it('names the payment that has paid, where the browser holds another', async () => {
    const { first, second, pay, viewAfter, changeCart, post, log } = await shopWithTwo();
    pay(second.account.number);
    await viewAfter(5000, second);
    changeCart();
    const { reference: paymentReference } = second;
    const expected = { reference: first.reference, paymentReference, orderAmount: changedOrder.amount };
    expect(await readSession(post(naming(first)))).toMatchObject(expected);
    const logged = log.filter(({ type }) => type === 'orderAmountChanged');
    expect(logged).toMatchObject([{ reference: paymentReference }]);
  });
});
