import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/engine/options.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { nextTurn } from '../../kit/test-clock.ts';
import { changing, down, onlyFor } from '../../kit/wire-faults.ts';
import { createWiredShop, keys, order, shopUrl } from '../../kit/wired-shop.ts';

const operatorKey = 'operator-key-of-at-least-32-characters';

type Shop = Pick<ReturnType<typeof createWiredShop>, 'checkout'>;

/** Calls a route of the operator, without a header if the key is empty. */
const call = (
  { checkout }: Shop,
  [method, path]: readonly [string, string],
  { key = operatorKey, body = null as object | null, accept = 'text/plain' } = {},
): Promise<Response> => {
  const authorization = key === '' ? {} : { authorization: `Bearer ${key}` };
  const headers = { ...authorization, accept, 'content-type': 'application/json' };
  const init = { method, headers, body: body && JSON.stringify(body) };
  return checkout.handler(new Request(`${shopUrl}/checkout/${path}`, init));
};
const read = async (shop: Shop, id: string) => (await call(shop, ['GET', `orders/${id}`])).text();
const reconcile = ['POST', 'reconcile'] as const;
const routes = [reconcile, ['GET', 'status'], ['GET', 'orders/order-1'], ['POST', 'notes']] as const;

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

it.each(routes)('a wrong key is refused, and then its client: %s %s', async (...route) => {
  const limits = { reads: 2 };
  const shop = await createFailingShop({ limits });
  shop.mend();
  const statuses = [];
  for (const key of ['', keys[0], 'another-guess']) statuses.push((await call(shop, route, { key })).status);
  expect(statuses).toEqual([401, 401, 429]);
  await shop.checkout.settled();
  expect(shop.paid).toEqual([]);
});

it('GET status lists an event whose handler fails, with the reason, and is not cached', async () => {
  const response = await call(await createFailingShop(), ['GET', 'status']);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  const event = { key: 'order-1:paid', orderId: 'order-1', state: 'failing', tries: 1, failure: 'no stock' };
  expect(await response.json()).toMatchObject({ waiting: [event] });
});

describe('GET orders/{id}', () => {
  it('says what to do, after asking the service, by id, reference and account number', async () => {
    const shop = createNotifiedShop({ operatorKey });
    shop.loseCallbacks();
    const session = await shop.open();
    shop.accept(session, 'ANY');
    expect(await read(shop, 'order-1')).toMatch(
      /What to do: Nothing has come to this account.*came +nothing/s,
    );
    shop.pay(session.account.number, order.amount.value + 100_000);
    for (const id of ['order-1', session.reference, session.account.number]) {
      const text = await read(shop, id);
      expect(text, id).toContain('₦1,000.00 too much came: return it.');
      expect(text).toMatch(/To return money, send a transfer.*came +₦13,500\.00.*asked just now/s);
    }
    await shop.checkout.settled();
    expect(await read(shop, 'order-1')).toContain('paid: taken');
    expect((await call(shop, ['GET', 'orders/none'])).status).toBe(404);
  });

  it('says that the service did not respond, and what the shop has not taken', async () => {
    const shop = await createFailingShop();
    const text = await shop.during(down, () => read(shop, 'order-1'));
    expect(text).toMatch(/has not taken the news \(no stock\).*paid: not taken after 1 tries: no stock/s);
    expect(text).toContain('did not respond');
  });

  it('writes JSON, and times in a time zone', async () => {
    const shop = createNotifiedShop({ operatorKey });
    shop.pay((await shop.open()).account.number);
    await shop.delivered();
    const readIn = (zone: string) =>
      call(shop, ['GET', `orders/order-1?timeZone=${zone}`], { accept: 'application/json' });
    const [utc, lagos] = [await readIn('UTC'), await readIn('Africa/Lagos')];
    const notified = [{ outcome: 'paid', isTaken: true }];
    const report = { orderId: 'order-1', situation: 'paid', notified, sharedWith: [] };
    expect(await utc.json()).toMatchObject([report]);
    expect((await lagos.json())[0].whatToDo).toContain('13:00');
    expect((await readIn('Lagos')).status).toBe(400);
  });

  it('finds an order whose id is digits with a space', async () => {
    const shop = createNotifiedShop({ operatorKey, getOrder: () => ({ ...order, orderId: '20 26' }) });
    await shop.open();
    expect(await read(shop, '20%2026')).toContain('Order 20 26');
  });

  it('asks about several orders at once, but not about all', async () => {
    const shop = createNotifiedShop({ operatorKey });
    const accountNumber = '9990000018';
    await shop.during(onlyFor('payments', changing({ accountNumber })), async () => {
      for (let id = 1; id <= 7; id++) await shop.checkout.createSession({ ...order, orderId: `order-${id}` });
    });
    let [underWay, most] = [0, 0];
    shop.wire.intercept = async (_path, send) => {
      most = Math.max(most, ++underWay);
      await nextTurn();
      return send().finally(() => underWay--);
    };
    expect((await read(shop, accountNumber)).match(/asked just now/g)).toHaveLength(7);
    expect(most).toBe(5);
  });

  it('names another open order with the same account number, and logs both once', async () => {
    const carts = ['a', 'b'];
    const getOrder = () => ({ ...order, orderId: carts.shift() ?? '' });
    const shop = createNotifiedShop({ operatorKey, getOrder });
    const { account } = await shop.open();
    const sameAccount = onlyFor('payments', changing({ accountNumber: account.number }));
    await shop.during(sameAccount, () => shop.open());
    const grouped = account.number.replace(/(...)(...)/, '$1%20$2%20');
    for (const id of ['a', 'b', account.number, grouped])
      expect(await read(shop, id)).toContain('is also that of order');
    expect(shop.log.filter(({ type }) => type === 'accountShared')).toEqual([
      { level: 'error', type: 'accountShared', accountNumber: account.number, orderIds: ['a', 'b'] },
    ]);
  });
});

it('an order that needs a person is listed, the oldest first, until it is noted, and again when more comes', async () => {
  const shop = createNotifiedShop({ operatorKey });
  const session = await shop.open();
  shop.accept(session, 'ANY');
  shop.pay(session.account.number, order.amount.value + 100);
  await shop.delivered();
  shop.clock.advance(60_000);
  const list = async () => (await (await call(shop, ['GET', 'status'])).json()).needingPerson;
  const amount = { value: 100, currency: 'NGN' };
  expect(await list()).toMatchObject([
    { orderId: 'order-1', sinceMs: 60_000, situation: 'overpaid', amount },
  ]);
  const note = (body: object) => call(shop, ['POST', 'notes'], { body });
  expect((await note({ orderId: 'order-1', text: '' })).status).toBe(400);
  expect((await note({ orderId: 'none', text: 'Returned' })).status).toBe(404);
  expect((await note({ orderId: 'order-1', text: 'Returned' })).status).toBe(204);
  expect(await list()).toEqual([]);
  expect(await read(shop, 'order-1')).toContain('it was noted “Returned”');
});

it('serves its named routes also at a mount path that ends in orders', async () => {
  const shop = createWiredShop({ basePath: '/orders' });
  const response = await shop.checkout.handler(new Request(`${shopUrl}/orders/ready`));
  expect(response.status).toBe(200);
});

it('POST reconcile verifies what is due, calls handlers, and counts', async () => {
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
