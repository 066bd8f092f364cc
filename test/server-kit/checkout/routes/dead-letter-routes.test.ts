import { describe, expect, it } from 'vitest';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';

const reconcileKey = 'reconcile-key-of-at-least-32-characters';

async function createFailingShop(options: Parameters<typeof createTestShop>[0] & object = {}) {
  let isMended = false;
  const paid: string[] = [];
  const shop = createTestShop({
    onPaid: ({ order }) => {
      if (!isMended) throw new Error('no stock');
      paid.push(order.orderId);
    },
    maxHandlerTries: 1,
    reconcileKey,
    clientKey: () => 'one client',
    ...options,
  });
  await shop.pay(await shop.open());
  const call = (method: string, path: string, key: string | undefined, body?: string): Promise<Response> =>
    shop.checkout.handler(
      new Request(`https://shop.example/checkout/${path}`, {
        method,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        body: body ?? null,
      }),
    );
  const mend = (): void => {
    isMended = true;
  };
  return { ...shop, call, paid, mend };
}

describe('the routes of dead letters', () => {
  it('list them to a caller with the reconcileKey, and keep no copy', async () => {
    const { call } = await createFailingShop();
    const response = await call('GET', 'dead-letters', reconcileKey);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(await response.json()).toEqual({
      total: 1,
      deadLetters: [
        {
          key: 'order-1:paid',
          orderId: 'order-1',
          outcome: 'paid',
          amount: 1_250_000,
          reference: expect.any(String),
          tries: 1,
          failure: 'no stock',
        },
      ],
    });
  });

  it('retry one, whose handler is called then', async () => {
    const { call, mend, paid, checkout } = await createFailingShop();
    mend();
    const retry = async (key: string) =>
      (await call('POST', 'dead-letters/retry', reconcileKey, JSON.stringify({ key }))).json();
    expect(await retry('order-2:paid')).toEqual({ retried: 0 });
    expect(await retry('order-1:paid')).toEqual({ retried: 1 });
    await checkout.settled();
    expect(paid).toEqual(['order-1']);
  });

  it.each([
    ['GET', 'dead-letters'],
    ['POST', 'dead-letters/retry'],
  ])('refuse a wrong key, and block a client after too many: %s %s', async (method, path) => {
    const { call, mend, paid, checkout } = await createFailingShop({
      limits: { failuresPerClient: { limit: 2, perSeconds: 60 } },
    });
    mend();
    const status = async (key?: string) => (await call(method, path, key, undefined)).status;
    expect(await status()).toBe(401);
    expect(await status('a-guess')).toBe(401);
    expect(await status('another-guess')).toBe(429);
    await checkout.settled();
    expect(paid).toEqual([]);
  });

  it('are not there without a reconcileKey', async () => {
    const { checkout } = createTestShop();
    for (const [method, path] of [
      ['GET', 'dead-letters'],
      ['POST', 'dead-letters/retry'],
    ] as const) {
      const request = new Request(`https://shop.example/checkout/${path}`, { method });
      expect((await checkout.handler(request)).status).toBe(404);
    }
  });

  it.each(['', 'all', '{}', '{"all":false}', '{"key":1}', '{"all":true,"key":"order-1:paid"}'])(
    'refuse the body %s',
    async (body) => {
      const { call, checkout } = await createFailingShop();
      expect((await call('POST', 'dead-letters/retry', reconcileKey, body)).status).toBe(400);
      expect(await checkout.deadLetters.list()).toHaveLength(1);
    },
  );

  it.each([
    ['POST', 'dead-letters', 'GET'],
    ['GET', 'dead-letters/retry', 'POST'],
  ])('take no %s %s', async (method, path, allowed) => {
    const { call } = await createFailingShop();
    const response = await call(method, path, reconcileKey);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
  });
});
