import { describe, expect, it } from 'vitest';
import type { PaidEvent } from '../../../server-kit/index.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { changedOrder, createCart, readSession, readView } from '../kit/wire-faults.ts';
import { order } from '../kit/wired-shop.ts';
import { naming, preferring } from './naming.ts';

const halfHour = 31 * 60_000;

/** A shop whose cart changes after money has come on the first payment. */
async function shopWithMoney(amount: number = order.amount.value, sandboxOptions = {}) {
  const cart = createCart();
  const paid: PaidEvent['order'][] = [];
  const shop = createNotifiedShop(
    { createPayment: cart.createPayment, onPaid: ({ order }) => void paid.push(order) },
    sandboxOptions,
  );
  const first = await shop.open();
  const { control } = shop.sandbox;
  control.updatePayment(first.reference, { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL' });
  control.transfer({ accountNumber: first.account.number, amount });
  await shop.delivered();
  shop.clock.advance(5000);
  cart.change();
  const changes = () => shop.log.filter(({ type }) => type === 'orderAmountChanged');
  return { ...shop, first, paid, changes };
}

describe('an order that costs something else after money has come', () => {
  it.each([
    ['is paid', order.amount.value, {}, { outcome: 'paid' }],
    ['is charged', order.amount.value, { confirmationSeconds: 600 }, { status: 'charged' }],
    ['is paid in part', 5000, {}, { outcome: 'pending', chargedAmount: 5000 }],
  ])('names both amounts where the payment %s', async (_name, amount, sandboxOptions, expected) => {
    const { first, post, changes } = await shopWithMoney(amount, sandboxOptions);
    const both = { amount: order.amount, orderAmount: changedOrder.amount };
    for (const headers of [
      {},
      naming(first),
      preferring('new'),
      { ...naming(first), ...preferring('existing') },
    ]) {
      const session = await readSession(post(headers));
      expect(session).toMatchObject({ reference: first.reference, ...expected, ...both });
    }
    expect(await readSession(post({}, '{}', '/checkout/links'))).toMatchObject(both);
    expect(changes()).toEqual([
      {
        ...{ level: 'warn', type: 'orderAmountChanged', reference: first.reference, orderId: order.orderId },
        ...both,
      },
    ]);
  });

  it('has the goods of the recorded amount reported to onPaid', async () => {
    const { paid, open, clock, checkout } = await shopWithMoney();
    await open();
    clock.advance(60_000);
    await checkout.settled();
    expect(paid).toEqual([{ orderId: order.orderId, amount: order.amount }]);
  });

  it('is logged again for another amount, and in createSession', async () => {
    const { open, changes, checkout } = await shopWithMoney();
    const other = { ...order, amount: { value: 1, currency: 'NGN' } } as const;
    await open();
    expect(await checkout.createSession(other)).toMatchObject({ orderAmount: other.amount });
    await open();
    await checkout.createSession(other);
    expect(changes()).toMatchObject([{ orderAmount: changedOrder.amount }, { orderAmount: other.amount }]);
  });

  it('names the payment that has paid, where the browser holds another', async () => {
    const cart = createCart();
    const shop = createNotifiedShop({ createPayment: cart.createPayment });
    const first = await shop.open();
    shop.clock.advance(halfHour);
    const second = await readSession(shop.post({ ...naming(first), ...preferring('new') }));
    shop.pay(second.account.number);
    await shop.delivered();
    cart.change();
    const session = await readSession(shop.post(naming(first)));
    expect(session).toMatchObject({
      reference: first.reference,
      paymentReference: second.reference,
      orderAmount: changedOrder.amount,
    });
    expect(shop.log).toContainEqual(
      expect.objectContaining({ type: 'orderAmountChanged', reference: second.reference }),
    );
  });
});

describe('a session without a difference', () => {
  it('names no other amount, and nothing is logged', async () => {
    const { open, get, post, pay, delivered, log } = createNotifiedShop();
    const session = await open();
    expect(session).not.toHaveProperty('orderAmount');
    pay(session.account.number);
    await delivered();
    expect(await readSession(post(naming(session)))).not.toHaveProperty('orderAmount');
    expect(await readView(get(session))).not.toHaveProperty('orderAmount');
    expect(log.filter(({ type }) => type === 'orderAmountChanged')).toEqual([]);
  });

  it('comes for a changed order without money: the payment is replaced', async () => {
    const cart = createCart();
    const { open, log } = createNotifiedShop({ createPayment: cart.createPayment });
    await open();
    cart.change();
    const session = await open();
    expect(session).toMatchObject({ amount: changedOrder.amount });
    expect(session).not.toHaveProperty('orderAmount');
    expect(log.filter(({ type }) => type === 'orderAmountChanged')).toEqual([]);
  });
});
