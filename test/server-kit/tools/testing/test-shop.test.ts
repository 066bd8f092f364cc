import { describe, expect, it } from 'vitest';
import { createCheckout } from '../../../../server-kit/engine/create-checkout.ts';
import { handlerNames } from '../../../../server-kit/engine/outbox/handlers.ts';
import {
  createTestClock,
  createTestShop,
  type TestShopInput,
  type TestShopOptions,
} from '../../../../server-kit/tools/testing/index.ts';

/** A shop that records its notifications. */
function createShop(
  input: Exclude<TestShopInput, (...args: never) => unknown> = {},
  options?: TestShopOptions,
) {
  const notified: string[] = [];
  const note = ({ idempotencyKey }: { idempotencyKey: string }) => notified.push(idempotencyKey);
  const handlers = Object.fromEntries(Object.values(handlerNames).map((name) => [name, note]));
  const shop = createTestShop({ ...handlers, ...input }, options);
  return { ...shop, notified };
}

describe('a test shop', () => {
  it('reports a payment once, and unexpected money', async () => {
    const shop = createShop();
    const first = await shop.open();
    await shop.advance({ minutes: 31 });
    const second = await shop.open();
    await shop.pay(first);
    expect(shop.notified).toEqual(['order-1:expired', 'order-1:paid']);
    await shop.pay(second);
    expect(shop.notified.slice(2)).toEqual([`order-1:unexpectedMoney:${second.reference}:1`]);
    expect(shop.errors).toEqual([]);
  });

  it('pays a link after a visit of its page', async () => {
    const shop = createShop();
    const amount = { value: 100, currency: 'NGN' } as const;
    const link = await shop.checkout.createLink({ orderId: 'order-1', amount });
    await expect(shop.pay(link)).rejects.toThrow(/visit its link/);
    shop.visit(link);
    await shop.pay(link);
    expect(shop.notified).toEqual(['order-1:paid']);
    expect(() => shop.visit({ reference: 'tc_none' })).toThrow(/tc_none/);
  });

  it('reverses a paid payment and fails an unpaid one', async () => {
    const shop = createShop();
    const session = await shop.open();
    await shop.pay(session);
    await shop.reverse(session);
    expect(shop.notified).toEqual(['order-1:paid', 'order-1:reversed']);
    const other = createShop();
    await other.fail(await other.open());
    expect(other.notified).toEqual(['order-1:failed']);
  });

  it('uses the merchant’s own checkout with the test’s parts', async () => {
    const paid: string[] = [];
    const shop = createTestShop((parts) =>
      createCheckout({
        ...parts,
        publicUrl: 'https://books.example',
        basePath: '/pay',
        onPaid: ({ order: { orderId } }) => paid.push(orderId),
      }),
    );
    const session = await shop.open({ orderId: 'book-7', amount: { value: 900, currency: 'NGN' } });
    const { transfer } = await shop.pay(session);
    expect([paid, transfer.amount]).toEqual([['book-7'], 900]);
    const [callback] = shop.sandbox.control.listCallbacks();
    expect(callback?.url).toBe('https://books.example/pay/callbacks');
    expect((await shop.callBack({ reference: session.reference })).status).toBe(204);
  });

  it('refuses shoppers without a getOrder and says so', async () => {
    const { checkout } = createTestShop();
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const response = await checkout.handler(new Request('https://shop.example/checkout/sessions', init));
    expect(response.status).toBe(403);
    expect((await response.json()).detail).toContain('has no getOrder');
  });
});

describe('a test shop in JavaScript', () => {
  it.each([
    ['a number', () => 5],
    ['nothing', () => undefined],
    ['a promise', async () => createTestShop().checkout],
    ['a checkout without its methods', () => ({ handler: () => {} })],
  ])('refuses a function that returns %s', (_name, create) => {
    expect(() => createTestShop(create as never)).toThrow(/must return what createCheckout\(\) returns/);
  });

  it.each([
    [{ minute: 3 }, 'minute: is not a known field'],
    [{ minutes: '3' }, 'minutes: must be a number'],
    [{ minutes: -3 }, 'minutes: must not be negative'],
    [{ minutes: Number.POSITIVE_INFINITY }, 'minutes: must be finite'],
    [{}, 'must name at least one of them'],
    [5, 'must be an object of days, hours, minutes, seconds and ms'],
  ])('refuses to advance by %j', async (duration, message) => {
    const { advance, clock } = createShop();
    const before = clock.now();
    const advanced = advance(duration as never);
    await expect(advanced).rejects.toThrow(/^Invalid options for advance\./);
    await expect(advanced).rejects.toThrow(message);
    expect(clock.now()).toBe(before);
  });

  it.each([{ minutes: 3 }, Number.NaN])('refuses to advance a clock by %j', (ms) => {
    const clock = createTestClock(1000);
    expect(() => clock.advance(ms as never)).toThrow(/^Invalid options for advance\./);
    expect(clock.now()).toBe(1000);
  });
});

it('time in a test shop retries a failing handler when it is due', async () => {
  let tries = 0;
  const shop = createShop({
    onPaid: () => {
      if (++tries < 3) throw new Error('no stock');
    },
  });
  await shop.pay(await shop.open());
  expect([tries, shop.errors.length]).toEqual([1, 1]);
  await shop.advance({ minutes: 1 });
  expect(tries).toBe(3);
});

it('callbacks that a test sends are refused when they are old or forged', async () => {
  const shop = createShop();
  const { reference } = await shop.open();
  const anHourAgo = shop.clock.now() - 3_600_000;
  expect((await shop.callBack({ reference, signedAtMs: anHourAgo })).status).toBe(401);
  expect((await shop.callBack({ reference, secret: 'a guess' })).status).toBe(401);
});
