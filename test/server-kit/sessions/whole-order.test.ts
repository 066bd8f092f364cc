import { describe, expect, it } from 'vitest';
import { createMemoryBus } from '../../../server-kit/buses/memory.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { pass } from '../kit/test-clock.ts';
import {
  changedOrder,
  changing,
  createCart,
  down,
  onlyFor,
  readSession,
  readView,
  refusing,
} from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

const halfHour = 31 * 60_000;
const { value: price } = order.amount;

/** A shop whose order has an account that has expired, and nothing else. */
async function shopWithExpired(...[options, ...others]: Parameters<typeof createWiredShop>) {
  const unexpected: string[] = [];
  const paid: string[] = [];
  const shop = createWiredShop(
    {
      onPaid: ({ payment }) => void paid.push(payment.reference),
      onUnexpectedMoney: ({ payment }) => void unexpected.push(payment.reference),
      ...options,
    },
    ...others,
  );
  const first = await shop.open();
  shop.clock.advance(halfHour);
  const pay = (accountNumber: string, amount: number = price) =>
    shop.sandbox.control.transfer({ accountNumber, amount });
  return { ...shop, first, pay, paid, unexpected };
}

/** The same with a second account, which is open. */
async function shopWithTwo(...input: Parameters<typeof createWiredShop>) {
  const shop = await shopWithExpired(...input);
  const second = await shop.open();
  shop.clock.advance(5000);
  return { ...shop, second };
}

describe('an account that is handed out for the first time, after the request for it had failed', () => {
  /** The next payment is recorded, and the service would not make it. */
  async function shopThatFailedOnce(...input: Parameters<typeof createWiredShop>) {
    const shop = await shopWithExpired(...input);
    shop.wire.intercept = onlyFor('payments', refusing(429));
    expect((await shop.post()).status).toBe(503);
    shop.wire.intercept = undefined;
    return shop;
  }

  it.each([
    ['charged', { confirmationSeconds: 60 }],
    ['paid', {}],
  ])('gives way to late money on the account before, which is %s since', async (_name, sandbox) => {
    const { first, pay, open, sandbox: service } = await shopThatFailedOnce({}, sandbox);
    pay(first.account.number);
    expect(await open()).toMatchObject({ reference: first.reference });
    expect(service.control.listPayments().filter(({ chargedAmount }) => chargedAmount > 0)).toHaveLength(1);
  });

  it('is not handed out while the account before cannot be verified', async () => {
    const { post, wire, sandbox } = await shopThatFailedOnce();
    wire.intercept = onlyFor('verify', down);
    expect((await post()).status).toBe(503);
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });

  it('is handed out when nothing has come', async () => {
    const { post, sandbox } = await shopThatFailedOnce();
    expect((await post()).status).toBe(201);
    expect(sandbox.control.listPayments()).toHaveLength(2);
  });
});

describe('an account that was shown, and is open', () => {
  it('is shown again while the service is down', async () => {
    const { post, wire, second } = await shopWithTwo();
    wire.intercept = down;
    expect(await readSession(post())).toMatchObject({ reference: second.reference, outcome: 'pending' });
  });
});

describe('money on an earlier account of the order', () => {
  it('reaches a request that is held for the later one, at once, even if nobody polls the earlier one', async () => {
    const { get, second, first, pay, clock } = await shopWithTwo();
    const etag = (await get(second)).headers.get('etag') ?? '';
    const held = get(second, { 'if-none-match': etag, prefer: 'wait=25' });
    await clock.untilWaiting(25_000);
    pay(first.account.number);
    await pass(clock, 2500);
    const response = await held;
    expect(response.status).toBe(200);
    expect(await readView(response)).toMatchObject({
      reference: second.reference,
      paymentReference: first.reference,
      account: first.account,
      outcome: 'paid',
      receivedLate: true,
      chargedAmount: price,
    });
  });

  it('reaches a request that another instance holds', async () => {
    const [store, bus] = [createMemoryStore(), createMemoryBus()];
    const one = await shopWithTwo({ store, bus });
    const { clock, sandbox, first, second, pay } = one;
    const two = createWiredShop({ store, bus }, {}, { clock, sandbox });
    const etag = (await two.get(second)).headers.get('etag') ?? '';
    const held = two.get(second, { 'if-none-match': etag, prefer: 'wait=25' });
    await clock.untilWaiting(25_000);
    pay(first.account.number);
    clock.advance(2000);
    await one.get(first);
    expect(await readView(await held)).toMatchObject({ outcome: 'paid', paymentReference: first.reference });
  });

  it.each([
    ['charged', { confirmationSeconds: 60 }, price, { status: 'charged', outcome: 'pending' }],
    ['partly paid', {}, 5000, { status: 'expired', outcome: 'expired', chargedAmount: 5000 }],
  ])('is what a reload shows while it is %s', async (_name, sandboxOptions, amount, expected) => {
    const { get, open, first, second, pay, clock, sandbox } = await shopWithTwo({}, sandboxOptions);
    sandbox.control.updatePayment(first.reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    pay(first.account.number, amount);
    clock.advance(5000);
    expect(await open()).toMatchObject({ reference: first.reference, ...expected });
    expect(await readView(get(second))).toMatchObject({
      reference: second.reference,
      paymentReference: first.reference,
      account: first.account,
      ...expected,
    });
  });

  it('closes the later account in the store, for every instance and every release', async () => {
    const { get, store, first, second, pay, clock, paid } = await shopWithTwo();
    pay(first.account.number);
    clock.advance(5000);
    await get(second);
    expect(await store.findByReference(second.reference)).toMatchObject({ outcome: 'replaced' });
    expect(paid).toEqual([first.reference]);
  });

  it('decides still when the service gives the payment up with the money on it', async () => {
    const { get, first, second, pay, clock, sandbox } = await shopWithTwo({}, { confirmationSeconds: 60 });
    pay(first.account.number);
    clock.advance(5000);
    expect(await readView(get(second))).toMatchObject({ status: 'charged' });
    sandbox.control.updatePayment(first.reference, { status: 'failed' });
    clock.advance(5000);
    const view = await readView(get(second));
    expect(view).toMatchObject({
      outcome: 'failed',
      paymentReference: first.reference,
      chargedAmount: price,
    });
  });
});

describe('an order that was paid twice', () => {
  it('shows the total received on each of its payments', async () => {
    const { get, open, first, second, pay, clock, unexpected } = await shopWithTwo();
    pay(first.account.number);
    pay(second.account.number);
    clock.advance(5000);
    for (const session of [first, second]) await get(session);
    for (const session of [first, second, await open()]) {
      expect(await readView(get(session))).toMatchObject({
        outcome: 'paid',
        amount: order.amount,
        chargedAmount: price,
        orderChargedAmount: 2 * price,
      });
    }
    expect(unexpected).toHaveLength(1);
  });

  it('wakes a request that is held for the first payment when the second changes', async () => {
    const { get, first, second, pay, clock } = await shopWithTwo();
    pay(first.account.number);
    clock.advance(5000);
    const etag = (await get(first)).headers.get('etag') ?? '';
    const held = get(first, { 'if-none-match': etag, prefer: 'wait=25' });
    await clock.untilWaiting(25_000);
    pay(second.account.number);
    clock.advance(5000);
    await get(second);
    clock.advance(100);
    expect(await readView(await held)).toMatchObject({ orderChargedAmount: 2 * price });
  });

  it('is paid by the payment that was confirmed first, whichever was made first', async () => {
    const { get, first, second, pay, clock } = await shopWithTwo();
    pay(second.account.number);
    clock.advance(5000);
    await get(second);
    pay(first.account.number);
    clock.advance(5000);
    for (const session of [first, second]) {
      const { reference, paymentReference = reference } = await readView(get(session));
      expect(paymentReference).toBe(second.reference);
    }
  });
});

describe('money on an account that a changed cart has replaced', () => {
  it('is named beside the account to pay into', async () => {
    const cart = createCart();
    const { open, get, sandbox, clock } = createWiredShop({ createPayment: cart.createPayment });
    const first = await open();
    cart.change();
    clock.advance(5000);
    const second = await open();
    sandbox.control.transfer({ accountNumber: first.account.number, amount: price });
    clock.advance(5000);
    await get(first);
    const view = await readView(get(second));
    expect(view).toMatchObject({
      outcome: 'pending',
      amount: changedOrder.amount,
      account: second.account,
      chargedAmount: 0,
      orderChargedAmount: price,
    });
    expect(view).not.toHaveProperty('paymentReference');
  });
});

describe('a request that is held for a payment that a changed cart has replaced', () => {
  it('has that payment verified, also where the order has no other account: money on it is news', async () => {
    const cart = createCart();
    const { open, post, get, sandbox, clock, wire } = createWiredShop({ createPayment: cart.createPayment });
    const first = await open();
    cart.change();
    clock.advance(5000);
    wire.intercept = onlyFor('payments', refusing(503));
    expect((await post()).status).toBe(503);
    clock.advance(5000);
    const etag = (await get(first)).headers.get('etag') ?? '';
    const held = get(first, { 'if-none-match': etag, prefer: 'wait=25' });
    await clock.untilWaiting(25_000);
    sandbox.control.transfer({ accountNumber: first.account.number, amount: price });
    await pass(clock, 26_000);
    expect((await held).status).toBe(200);
  });
});

describe('the only payment of an order', () => {
  it('names no other payment, and no other sum, also when it was reversed', async () => {
    const { get, open, sandbox, clock } = createWiredShop();
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: price });
    clock.advance(5000);
    const names = ['paymentReference', 'orderChargedAmount'];
    for (const name of names) expect(await readView(get(session))).not.toHaveProperty(name);
    sandbox.control.updatePayment(session.reference, { status: 'reversed' });
    clock.advance(60_000);
    const view = await readView(get(session));
    expect(view.outcome).toBe('reversed');
    for (const name of names) expect(view).not.toHaveProperty(name);
  });
});

describe('expiresAt of a payment', () => {
  it('that is long past is refused, and nobody is shown the account', async () => {
    const { post, wire, errors, store } = createWiredShop();
    wire.intercept = changing({ expiresAt: '1970-01-01T00:00:00.000Z' });
    expect((await post()).status).toBe(502);
    expect(errors).toMatchObject([{ cause: { code: 'invalid_response', params: ['expiresAt'] } }]);
    expect(await store.listByOrder('order-1')).toMatchObject([{ opened: null }]);
  });

  it('that is a moment past, by clocks that differ, is the moment at which it was opened', async () => {
    const { open, wire, clock } = createWiredShop();
    wire.intercept = changing({ expiresAt: new Date(clock.now() - 60_000).toISOString() });
    const { expiresAt, openedAt } = await open();
    expect(expiresAt).toBe(openedAt);
  });
});
