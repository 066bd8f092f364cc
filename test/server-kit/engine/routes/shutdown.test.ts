import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { openedShop } from '../../kit/opened-shop.ts';
import { createWiredShop, shopUrl } from '../../kit/wired-shop.ts';

const ask = async ({ checkout }: Pick<ReturnType<typeof createWiredShop>, 'checkout'>, path: string) => {
  const response = await checkout.handler(new Request(`${shopUrl}/checkout${path}`));
  return { status: response.status, body: await response.json(), headers: response.headers };
};

it('GET {base}/health is 200 while the process responds, whatever else is down', async () => {
  const store = { ...createMemoryStore(), find: () => Promise.reject(new Error('no store')) };
  const shop = createWiredShop({ store });
  expect(await ask(shop, '/health')).toMatchObject({ status: 200, body: { status: 'up' } });
  await shop.checkout.stop();
  expect(await ask(shop, '/health')).toMatchObject({ status: 200 });
});

describe('GET {base}/ready', () => {
  it('is 200 even before the first response of the service', async () => {
    const shop = createWiredShop();
    const ready = { status: 'ready', store: 'up', clock: 'unknown', stopping: false };
    const { status, body, headers } = await ask(shop, '/ready');
    expect([status, body, headers.get('cache-control')]).toEqual([200, ready, 'private, no-store']);
    await shop.open();
    expect((await ask(shop, '/ready')).body).toEqual({ ...ready, clock: 'known' });
  });

  it.each([
    ['fails', () => Promise.reject(new Error('no store'))],
    ['hangs', () => new Promise<never>(() => {})],
  ])('is 503 while a write of the store %s, and 200 when it is back', async (_how, prepare) => {
    const store = createMemoryStore();
    const working = store.prepare;
    store.prepare = prepare;
    const shop = createWiredShop({ store });
    const response = ask(shop, '/ready');
    shop.clock.advance(2000);
    expect(await response).toMatchObject({ status: 503, body: { status: 'unready', store: 'down' } });
    expect(shop.log).toMatchObject([{ type: 'storeFailed', level: 'warn' }]);
    store.prepare = working;
    shop.clock.advance(1000);
    expect(await ask(shop, '/ready')).toMatchObject({ status: 200 });
  });
});

it('stop withdraws readiness, ends all held requests at once, and holds no more', async () => {
  const shop = await openedShop({ testing: { random: () => 0.5 } });
  const { session, get, hold, clock, checkout, log } = shop;
  const held = hold();
  await clock.untilWaiting(2000);
  const stopping = checkout.stop();
  expect(await ask(shop, '/ready')).toMatchObject({ status: 503, body: { stopping: true, store: 'up' } });
  const response = await held;
  const { status, headers } = response;
  expect([status, headers.get('checkout-next-poll-ms')]).toEqual([304, '7500']);
  expect(headers.get('preference-applied')).toBe('wait');
  await stopping;
  const next = await hold();
  expect([next.status, next.headers.get('preference-applied')]).toEqual([304, null]);
  expect((await get(session)).status).toBe(200);
  expect(clock.pending()).toBe(0);
  expect(log).toMatchObject([{ type: 'stopped', level: 'info' }]);
});
