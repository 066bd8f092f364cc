import { describe, expect, it } from 'vitest';
import { toNodeListener } from '../../../../server-kit/client/http/node.ts';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';
import { respondJson, startFaultServer } from '../../kit/fault-server.ts';
import { serve } from '../../kit/serve.ts';
import { newFile, rowOf, runCli, runJson } from './cli-kit.ts';

const key = 'a-key-that-only-the-timer-of-ours-has';
const env = { RECONCILE_KEY: key };

/** A shop with a paid order whose handler failed too often, an unpaid one, and one that was paid in part without a handler for that. */
async function createShop() {
  const shop = createTestShop(
    { onPaid: () => Promise.reject(new Error('no stock')), reconcileKey: key },
    { sandbox: { acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY' } },
  );
  await shop.pay(await shop.open({ orderId: 'order-1' }));
  await shop.open({ orderId: 'order-2' });
  await shop.pay(await shop.open({ orderId: 'order-3' }), { amount: 123_456 });
  await shop.advance({ minutes: 3 });
  return shop;
}

/** The two ways to the checkout, as arguments. */
const ways = {
  url: async () => {
    const { checkout } = await createShop();
    return ['--url', `${(await serve(toNodeListener(checkout))).url}/checkout`];
  },
  module: async () => {
    Object.assign(globalThis, { countedShop: (await createShop()).checkout });
    return ['--module', await newFile('export const checkout = globalThis.countedShop;', 'shop.js')];
  },
};

describe.each(Object.entries(ways))('status --%s', (_name, wayTo) => {
  it('prints the counts and the ages', async () => {
    const { code, stdout, stderr } = await runCli(['status', ...(await wayTo())], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(rowOf(stdout, 'paid orders')).toBe('1');
    expect(rowOf(stdout, 'oldest unpaid payment')).toBe('3 min');
    expect(rowOf(stdout, 'its order')).toBe('order-2');
    expect(rowOf(stdout, 'without a handler')).toBe('1');
    expect(rowOf(stdout, 'amountMismatch')).toBe('order-3, NGN 1,234.56');
  });

  it('prints them as JSON', async () => {
    expect(await runJson(['status', ...(await wayTo())], { env })).toMatchObject({
      outcomes: { paid: 1, late: 0, unexpectedMoney: 0, reversed: 0 },
      oldestUnpaidMs: 180_000,
      oldestUnpaid: { orderId: 'order-2' },
      parkedEvents: 1,
      waiting: [
        { orderId: 'order-3', outcome: 'amountMismatch', amount: { value: 123_456, currency: 'NGN' } },
      ],
    });
  });
});

describe('status', () => {
  it.each([
    ['neither a module nor an address', ['status']],
    ['an address without a reconcileKey', ['status', '--url', 'https://shop.example/checkout']],
  ])('refuses %s', async (_name, args) => {
    expect(await runCli(args)).toMatchObject({ code: 2, stdout: '' });
  });

  it('says that the key is refused, without the key', async () => {
    const { url } = await startFaultServer([respondJson(401, {})]);
    const { code, stdout, stderr } = await runCli(['status', '--url', url, '--json'], { env });
    expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'key_refused']);
    expect(stdout + stderr).not.toContain(key);
  });
});
