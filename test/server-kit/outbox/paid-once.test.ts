import { describe, expect, it } from 'vitest';
import { changing, createCart, readView } from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

const halfHour = 31 * 60_000;

/** A shop whose order has an expired payment and an open one. */
async function shopWithTwoAttempts(...options: Parameters<typeof createWiredShop>) {
  const shop = createWiredShop(...options);
  const first = await shop.open();
  shop.clock.advance(halfHour);
  const second = await shop.open();
  const pay = (accountNumber: string) =>
    shop.sandbox.control.transfer({ accountNumber, amount: order.amount.value });
  return { ...shop, first, second, pay };
}

type Shop = Awaited<ReturnType<typeof shopWithTwoAttempts>>;

describe('an order whose earlier payment gets late money', () => {
  it('returns the paid payment, and closes the open one', async () => {
    const paid: string[] = [];
    const { get, open, clock, first, second, pay, store } = await shopWithTwoAttempts({
      onPaid: ({ payment }) => void paid.push(payment.reference),
    });
    pay(first.account.number);
    clock.advance(5000);
    expect(await readView(get(first))).toMatchObject({ outcome: 'paid' });
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'paid' });
    expect(await readView(get(second))).toMatchObject({
      reference: second.reference,
      paymentReference: first.reference,
      account: first.account,
      outcome: 'paid',
      receivedLate: true,
    });
    expect(await store.findByReference(second.reference)).toMatchObject({ outcome: 'replaced' });
    expect(paid).toEqual([first.reference]);
  });

  it('finds that money even if nobody polls the earlier payment', async () => {
    const { open, clock, first, pay, sandbox } = await shopWithTwoAttempts();
    pay(first.account.number);
    clock.advance(5000);
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'paid' });
    clock.advance(halfHour);
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'paid' });
    expect(sandbox.control.listPayments()).toHaveLength(2);
  });

  it.each([
    ['expired', async ({ clock }: Shop) => clock.advance(halfHour)],
    [
      'been closed before its account was known',
      async ({ store, second }: Shop) => {
        const record = await store.findByReference(second.reference);
        if (record === undefined) throw new Error('There is no second attempt.');
        const closed = { ...record, opened: null, outcome: 'replaced' } as const;
        await store.update(closed, { checkAfterMs: null, outcomes: [] });
      },
    ],
  ])('gets no third account while that is unconfirmed and the latest has %s', async (_how, end) => {
    const shop = await shopWithTwoAttempts({}, { confirmationSeconds: 60 });
    const { open, clock, first, sandbox, pay } = shop;
    await end(shop);
    pay(first.account.number);
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'pending', status: 'charged' });
    clock.advance(61_000);
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'paid' });
    expect(sandbox.control.listPayments()).toHaveLength(2);
  });

  it('reports the second payment when the closed one is paid as well', async () => {
    const unexpected: string[] = [];
    const { get, open, clock, first, second, pay } = await shopWithTwoAttempts({
      onPaid: () => {},
      onUnexpectedMoney: ({ payment }) => void unexpected.push(payment.reference),
    });
    pay(first.account.number);
    clock.advance(5000);
    await open();
    pay(second.account.number);
    clock.advance(5000);
    await get(second);
    expect(unexpected).toEqual([second.reference]);
  });

  it('keeps an open payment that holds money, and still returns the paid one', async () => {
    const { get, open, clock, first, second, pay, sandbox, store } = await shopWithTwoAttempts();
    sandbox.control.updatePayment(second.reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    sandbox.control.transfer({ accountNumber: second.account.number, amount: 500_000 });
    clock.advance(5000);
    await get(second);
    pay(first.account.number);
    clock.advance(5000);
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'paid' });
    expect(await store.findByReference(second.reference)).toMatchObject({ outcome: 'pending' });
    expect(await readView(get(second))).toMatchObject({
      outcome: 'paid',
      chargedAmount: order.amount.value,
      orderChargedAmount: order.amount.value + 500_000,
    });
  });
});

describe('attempts', () => {
  it('are counted from 1, and listed in that order', async () => {
    const { store, open, clock } = await shopWithTwoAttempts();
    clock.advance(halfHour);
    await open();
    const attempts = await store.listByOrder('order-1');
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it('that have failed empty give way to a new one', async () => {
    const { post, open, clock, sandbox } = createWiredShop();
    const first = await open();
    sandbox.control.updatePayment(first.reference, { status: 'failed' });
    clock.advance(5000);
    const next = await post();
    expect(next.status).toBe(201);
    expect((await readView(next)).reference).not.toBe(first.reference);
  });

  it('that have failed are verified before another account is created: late money counts', async () => {
    const { get, open, clock, sandbox, wire } = createWiredShop();
    const first = await open();
    wire.intercept = changing({ status: 'failed' });
    clock.advance(5000);
    expect(await readView(get(first))).toMatchObject({ outcome: 'failed' });
    wire.intercept = undefined;
    sandbox.control.transfer({ accountNumber: first.account.number, amount: order.amount.value });
    clock.advance(5000);
    expect(await open()).toMatchObject({ reference: first.reference, outcome: 'paid' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });

  it('that were replaced and got nothing are silent', async () => {
    const notified: unknown[] = [];
    const cart = createCart();
    const { get, open, clock } = createWiredShop({
      createPayment: cart.createPayment,
      onPaid: (event) => void notified.push(event),
      onUnexpectedMoney: (event) => void notified.push(event),
    });
    const first = await open();
    cart.change();
    clock.advance(5000);
    await open();
    clock.advance(5000);
    expect(await readView(get(first))).toMatchObject({ outcome: 'replaced', chargedAmount: 0 });
    expect(notified).toEqual([]);
  });
});

describe('a paid payment', () => {
  it('that is reversed is seen as reversed after a minute, and never as anything else again', async () => {
    const { get, open, clock, sandbox, wire } = createWiredShop();
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(5000);
    expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
    sandbox.control.updatePayment(session.reference, { status: 'reversed' });
    clock.advance(59_999);
    expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
    clock.advance(1);
    expect(await readView(get(session))).toMatchObject({ outcome: 'reversed' });
    wire.intercept = changing({ status: 'succeeded', updatedAt: '2026-03-02T12:00:00.000Z' });
    clock.advance(60_000);
    expect(await readView(get(session))).toMatchObject({ outcome: 'reversed', status: 'reversed' });
    expect(await open()).toMatchObject({ reference: session.reference, outcome: 'reversed' });
  });
});
