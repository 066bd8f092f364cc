import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/engine/options.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { down } from '../../kit/wire-faults.ts';
import { createWiredShop, keys } from '../../kit/wired-shop.ts';

const operatorKey = 'operator-key-of-at-least-32-characters';

/** Calls a route of the operator, without a header if the key is empty. */
const call = (
  { checkout }: Pick<ReturnType<typeof createWiredShop>, 'checkout'>,
  [method, path]: readonly [string, string],
  { key = operatorKey, body = null as string | null } = {},
): Promise<Response> => {
  const headers: HeadersInit = key === '' ? {} : { authorization: `Bearer ${key}` };
  return checkout.handler(new Request(`https://shop.example/checkout/${path}`, { method, headers, body }));
};
const reconcile = ['POST', 'reconcile'] as const;
const routes = [reconcile, ['GET', 'status']] as const;

/** A shop whose handler fails, and works once it is mended. */
async function createFailingShop(options: Partial<CheckoutOptions> = {}) {
  let isMended = false;
  const paid: string[] = [];
  const shop = createNotifiedShop({
    onPaid: ({ order }) => {
      if (!isMended) throw new Error('no stock');
      paid.push(order.orderId);
    },
    operatorKey,
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

  it.each(routes)('is not there without a operatorKey: %s %s', async (...route) => {
    expect((await call(createWiredShop(), route)).status).toBe(404);
  });

  it.each([
    ['GET', 'reconcile', 'POST'],
    ['POST', 'status', 'GET'],
  ])('takes no %s %s', async (method, path, allowed) => {
    const response = await call(createWiredShop({ operatorKey }), [method, path]);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
  });
});

it('GET status lists an event whose handler fails, with the reason, and is not cached', async () => {
  const response = await call(await createFailingShop(), ['GET', 'status']);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  const event = { key: 'order-1:paid', orderId: 'order-1', state: 'failing', tries: 1, failure: 'no stock' };
  expect(await response.json()).toMatchObject({ waiting: [event] });
});

describe('POST reconcile', () => {
  it('verifies what is due, calls handlers, and counts', async () => {
    const shop = createNotifiedShop({ operatorKey });
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
