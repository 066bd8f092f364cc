import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/checkout/checkout-options.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { down } from '../../kit/wire-faults.ts';
import { createWiredShop, keys } from '../../kit/wired-shop.ts';

const reconcileKey = 'reconcile-key-of-at-least-32-characters';

/** Calls a route of the operator, without a header if the key is empty. */
const call = (
  { checkout }: Pick<ReturnType<typeof createWiredShop>, 'checkout'>,
  [method, path]: readonly [string, string],
  { key = reconcileKey, body = null as string | null } = {},
): Promise<Response> => {
  const headers: HeadersInit = key === '' ? {} : { authorization: `Bearer ${key}` };
  return checkout.handler(new Request(`https://shop.example/checkout/${path}`, { method, headers, body }));
};
const reconcile = ['POST', 'reconcile'] as const;
const retryRoute = ['POST', 'dead-letters/retry'] as const;
const routes = [reconcile, retryRoute, ['GET', 'dead-letters'], ['GET', 'status']] as const;

/** A shop with a dead letter, whose handler works once it is mended. */
async function createFailingShop(options: Partial<CheckoutOptions> = {}) {
  let isMended = false;
  const paid: string[] = [];
  const shop = createNotifiedShop({
    onPaid: ({ order }) => {
      if (!isMended) throw new Error('no stock');
      paid.push(order.orderId);
    },
    maxHandlerTries: 1,
    reconcileKey,
    clientKey: () => 'one client',
    ...options,
  });
  shop.pay((await shop.open()).account.number);
  await shop.delivered();
  const mend = (): void => {
    isMended = true;
  };
  return { ...shop, paid, mend };
}

describe('a route of the operator', () => {
  it.each(routes)('refuses a wrong key, and blocks a client after too many: %s %s', async (...route) => {
    const limits = { reads: 2 };
    const shop = await createFailingShop({ limits });
    shop.mend();
    const statuses = [];
    for (const key of ['', keys[0], 'another-guess'])
      statuses.push((await call(shop, route, { key })).status);
    expect(statuses).toEqual([401, 401, 429]);
    await shop.checkout.settled();
    expect(shop.paid).toEqual([]);
  });

  it.each(routes)('is not there without a reconcileKey: %s %s', async (...route) => {
    expect((await call(createWiredShop(), route)).status).toBe(404);
  });

  it.each([
    ['POST', 'dead-letters', 'GET'],
    ['GET', 'dead-letters/retry', 'POST'],
    ['GET', 'reconcile', 'POST'],
    ['POST', 'status', 'GET'],
  ])('takes no %s %s', async (method, path, allowed) => {
    const response = await call(createWiredShop({ reconcileKey }), [method, path]);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
  });
});

describe('the routes of dead letters', () => {
  it('list them, and keep no copy', async () => {
    const response = await call(await createFailingShop(), ['GET', 'dead-letters']);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    const letter = {
      key: 'order-1:paid',
      orderId: 'order-1',
      outcome: 'paid',
      amount: 1_250_000,
      reference: expect.any(String),
      tries: 1,
      failure: 'no stock',
    };
    expect(await response.json()).toEqual({ total: 1, deadLetters: [letter] });
  });

  it('retry one, whose handler is called then', async () => {
    const shop = await createFailingShop();
    shop.mend();
    for (const [key, retried] of [
      ['order-2:paid', 0],
      ['order-1:paid', 1],
    ] as const) {
      const response = await call(shop, retryRoute, { body: JSON.stringify({ key }) });
      expect(await response.json()).toEqual({ retried });
    }
    await shop.checkout.settled();
    expect(shop.paid).toEqual(['order-1']);
  });

  it.each(['', 'all', '{}', '{"all":false}', '{"key":1}', '{"all":true,"key":"order-1:paid"}'])(
    'refuse the body %s',
    async (body) => {
      const shop = await createFailingShop();
      expect((await call(shop, retryRoute, { body })).status).toBe(400);
      expect(await shop.checkout.deadLetters.list()).toHaveLength(1);
    },
  );
});

describe('POST reconcile', () => {
  it('verifies what is due, calls handlers, and counts', async () => {
    const shop = createNotifiedShop({ reconcileKey });
    shop.loseCallbacks();
    shop.pay((await shop.open()).account.number);
    const count = async () => (await call(shop, reconcile)).json();
    expect(await count()).toEqual({ due: 0, failed: 0, hasMore: false });
    shop.clock.advance(60_000);
    expect(await shop.during(down, count)).toEqual({ due: 1, failed: 1, hasMore: false });
    shop.clock.advance(60_000);
    expect(await count()).toEqual({ due: 1, failed: 0, hasMore: false });
    expect(shop.notified).toEqual(['order-1:paid']);
    expect(shop.clock.pending()).toBe(0);
  });
});
