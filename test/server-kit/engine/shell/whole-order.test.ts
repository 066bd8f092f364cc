import { describe, expect, it } from 'vitest';
import type { PaidEvent } from '../../../../server-kit/index.ts';
import { createNotifiedShop, openedWithoutCallbacks } from '../../kit/notified-shop.ts';
import { pass } from '../../kit/test-clock.ts';
import {
  changedOrder,
  changing,
  codeOf,
  down,
  hanging,
  onlyFor,
  readSession,
  readView,
} from '../../kit/wire-faults.ts';
import { order } from '../../kit/wired-shop.ts';
import { naming, preferring } from './naming.ts';

const minuteMs = 60_000;
const { value: price } = order.amount;

/** A shop without callbacks, whose order has an account that has expired, and a second one, which is open. */
async function shopWithTwo() {
  const { session: first, ...shop } = await openedWithoutCallbacks();
  shop.clock.advance(31 * minuteMs);
  const second = await shop.open();
  shop.clock.advance(5000);
  return { ...shop, first, second };
}

it('A verification that fails is logged with its own payment', async () => {
  const { first, wire, roundAfter, log } = await shopWithTwo();
  wire.intercept = async (path, send) => (path.includes(first.reference) ? down(path, send) : send());
  await roundAfter(31 * minuteMs);
  const failed = log.filter(({ type }) => type === 'verificationFailed');
  expect(failed).toMatchObject([{ reference: first.reference }]);
});

it.each([
  ['first', 'second'],
  ['second', 'first'],
] as const)(
  'money on an earlier account of the order reaches, from the %s account, a request that another instance holds for the %s, while its own verification hangs',
  async (payer, held) => {
    const shop = await shopWithTwo();
    const two = shop.another();
    const { response } = await shop.hold(shop[held], two);
    two.wire.intercept = hanging;
    await pass(shop.clock, 2500);
    shop.pay(shop[payer].account.number);
    await shop.get(shop[payer]);
    await pass(shop.clock, 3000);
    const { reference: paymentReference } = shop[payer];
    expect(await readView(response)).toMatchObject({ paymentReference, outcome: 'paid' });
    expect(shop.notified).toEqual(['order-1:expired', 'order-1:paid']);
  },
);

it('the payment that the server reads of an order is the last one until another has paid, and is never opened for it', async () => {
  const { first, second, pay, viewAfter, checkout, sandbox } = await shopWithTwo();
  const read = () => checkout.retrievePayment(order.orderId);
  const { reference } = second;
  expect(await checkout.retrievePayment('order-2')).toBeUndefined();
  expect(await read()).toMatchObject({ reference, outcome: 'pending', chargedAmount: 0 });
  pay(first.account.number);
  await viewAfter(5000, first);
  const paid = { reference: first.reference, outcome: 'paid', chargedAmount: price };
  expect(await read()).toMatchObject(paid);
  expect(sandbox.control.listPayments()).toHaveLength(2);
});

const both = { amount: order.amount, orderAmount: changedOrder.amount };

it.each([
  ['is paid', price, {}, { outcome: 'paid' }],
  ['is paid in part', 5000, {}, { outcome: 'pending', chargedAmount: 5000 }],
])('an order at another price names both amounts where it %s', async (_how, amount, sandbox, expected) => {
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
  const entry = { level: 'warn', type: 'orderAmountChanged', reference, orderId, amount: order.amount };
  const logged = shop.log.filter(({ type }) => type === 'orderAmountChanged');
  expect(logged).toEqual([changedOrder, other].map(({ amount }) => ({ ...entry, orderAmount: amount })));
  expect(paid).toEqual(amount === price ? [{ orderId, amount: order.amount }] : []);
});

describe('the text of the QR code', () => {
  // The checksum's own check value: 29B1 for these nine digits.
  const template = '123456789{crc}|{accountNumber}|{reference}';

  it('is in each session of an order, with its account, until a part has come', async () => {
    const shop = createNotifiedShop({ getOrder: () => ({ ...order, qrText: template }) });
    const first = await shop.open();
    const { reference, account } = first;
    const expected = { reference, qrText: `12345678929B1|${account.number}|${reference}` };
    expect(first).toMatchObject(expected);
    expect(await shop.checkout.createSession({ ...order, qrText: template })).toMatchObject(expected);
    shop.accept(first, 'PARTIAL');
    shop.pay(account.number, 5000);
    shop.clock.advance(5000);
    const later = await readSession(shop.post(naming(first)));
    expect(later).toMatchObject({ reference, chargedAmount: 5000 });
    expect(later).not.toHaveProperty('qrText');
  });

  it('is left out, and logged, if no phone could read it', async () => {
    const shop = createNotifiedShop({ getOrder: () => ({ ...order, qrText: 'x'.repeat(1000) }) });
    expect(await shop.open()).not.toHaveProperty('qrText');
    expect(shop.log).toContainEqual(expect.objectContaining({ type: 'orderFieldIgnored', field: 'qrText' }));
  });
});

it('The log names the payment that has paid, where the browser holds another', async () => {
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

it('a decision on another account whose verification was ignored asks once more, and then refuses', async () => {
  const { checkout, visit, get, viewAfter, clock, wire, during, post, verifications } = createNotifiedShop();
  const link = await checkout.createLink(order);
  visit(link);
  await get(link);
  expect(await viewAfter(31 * minuteMs, link)).toMatchObject({ outcome: 'expired' });
  clock.advance(5000);
  const older = { status: 'awaiting_charge', updatedAt: '2026-03-01T12:00:00.000Z' };
  wire.calls.length = 0;
  const response = await during(onlyFor('verify', changing(older)), post);
  expect([response.status, await codeOf(response)]).toEqual([503, 'service_unavailable']);
  // First with patience, which could not say more; then twice for the decision. Nothing else is requested.
  expect([verifications().length, wire.calls.length]).toEqual([3, 3]);
});

it('a part that the bank returns before it is confirmed is logged, calls no handler, and allows another account', async () => {
  const shop = createNotifiedShop();
  shop.loseCallbacks();
  const first = await shop.open();
  await shop.say(first, { status: 'awaiting_charge', chargedAmount: 5000 });
  await shop.say(first, { status: 'reversed', chargedAmount: 0 });
  const next = await shop.open();
  expect(next.outcome).toBe('pending');
  expect(next.reference).not.toBe(first.reference);
  expect(shop.movements).toEqual([]);
  const logged = shop.log.filter(({ type }) => type === 'reversedUnpaid');
  expect(logged).toMatchObject([{ reference: first.reference }]);
});
