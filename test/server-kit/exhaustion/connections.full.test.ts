import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/contract/index.ts';
import { openAndPay, untilPaid } from '../outages/load.ts';
import { describeLimitedShop, type LimitedShop, openConnections, portOf, reported } from './limited-shop.ts';

const createShop = describeLimitedShop();
const limits = { heapMegabytes: 128 };
const patience = { timeout: 90_000, interval: 200 };

async function startShop() {
  const shop = await createShop();
  await shop.start(limits);
  const died = shop.exited(0).then((): never => {
    throw new Error(shop.complaints());
  });
  died.catch(() => {});
  const sell = (orderId: string): Promise<void> =>
    Promise.race([openAndPay(shop, orderId).then((session) => untilPaid(shop, session)), died]);
  await sell('order-1');
  const before = await shop.measure(0);
  /** Expects that no more is held than at first, and that each order was reported once. */
  const expectNothingKept = async (...orders: string[]): Promise<void> => {
    await expect
      .poll(async () => (await shop.measure(0)).descriptors, patience)
      .toBeLessThanOrEqual(before.descriptors);
    const after = await shop.measure(0);
    expect(after.heapBytes - before.heapBytes).toBeLessThan(8_000_000);
    expect(after.timers).toBeLessThanOrEqual(before.timers + 20);
    expect(await shop.stop(), shop.complaints()).toEqual([0]);
    expect(reported(shop)).toEqual(orders.map((orderId) => `${orderId}:paid`));
  };
  return { ...shop, sell, expectNothingKept };
}

/** Most of a body of 60 kB, whose end never comes. */
const endlessBody = [
  'POST /checkout/sessions HTTP/1.1',
  'Host: a',
  'Content-Type: application/json',
  'Content-Length: 60000',
  '',
  `{"a":"${'x'.repeat(59_000)}`,
].join('\r\n');

/** Opens a session that nobody pays. Returns a poll of it that the shop holds. */
async function openUnpaid({ url }: Pick<LimitedShop, 'url'>, index: number): Promise<string> {
  const response = await fetch(`${url}/checkout/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderId: `unpaid-${index}`, amount: { value: 1000, currency: 'NGN' } }),
  });
  const { reference, clientSecret } = (await response.json()) as Session;
  const headers = {
    'checkout-secret': clientSecret,
    'if-none-match': response.headers.get('etag') ?? '',
    prefer: 'wait=25',
  };
  // The first verification changes the view.
  const { headers: verified } = await fetch(`${url}/checkout/sessions/${reference}`, { headers });
  const lines = Object.entries({ ...headers, host: 'a', 'if-none-match': verified.get('etag') });
  return [
    `GET /checkout/sessions/${reference} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
}

describe('a shop with 128 MB of heap', () => {
  it('sells while 10,000 connections say nothing, and keeps nothing of them', async () => {
    const shop = await startShop();
    const { close } = await openConnections(portOf(shop), 10_000);
    await expect
      .poll(async () => (await shop.measure(0)).descriptors, patience)
      .toBeGreaterThanOrEqual(10_000);
    await shop.sell('order-2');
    close();
    await shop.expectNothingKept('order-1', 'order-2');
  });

  it('sells while 2,000 bodies of 60 kB do not end, and keeps nothing of them', async () => {
    const shop = await startShop();
    await openConnections(portOf(shop), 2000, endlessBody);
    await shop.sell('order-2');
    await shop.expectNothingKept('order-1', 'order-2');
  });

  it('sells while it holds requests of 200 browsers that vanished without a word, and forgets them', async () => {
    const shop = await startShop();
    const sessions = await Promise.all(Array.from({ length: 50 }, (_, index) => openUnpaid(shop, index)));
    const received = await Promise.all(sessions.map((held) => openConnections(portOf(shop), 4, held)));
    await expect.poll(async () => (await shop.measure(0)).descriptors, patience).toBeGreaterThanOrEqual(200);
    await shop.sell('order-2');
    // None is idle, which would end it after five seconds: each waits for its payment.
    expect(received.map(({ bytes }) => bytes())).toEqual(sessions.map(() => 0));
    await shop.expectNothingKept('order-1', 'order-2');
  });
});
