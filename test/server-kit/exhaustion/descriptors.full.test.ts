import { describe, expect, it } from 'vitest';
import { open } from '../kit/raw-connection.ts';
import { openAndPay, untilPaid } from '../outages/load.ts';
import { describeLimitedShop, openConnections, portOf, reported } from './limited-shop.ts';

const createShop = describeLimitedShop();
const patience = { timeout: 60_000, interval: 100 };

describe('a shop that may open 80 files', () => {
  it('fails its probes while they are used up, loses nothing, and goes on when there are some', async () => {
    const shop = await createShop();
    await shop.start({ descriptors: 80 });
    const probe = (): Promise<number> =>
      fetch(`http://127.0.0.1:${portOf(shop)}/checkout/ready`, { signal: AbortSignal.timeout(5000) })
        .then(({ status }) => status)
        .catch(() => 0);
    await untilPaid(shop, await openAndPay(shop, 'order-1'));
    const early = open(portOf(shop));
    early.send('GET /checkout/health HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(early.statuses, patience).toEqual([200]);
    const { close } = await openConnections(portOf(shop), 200);
    expect(await probe()).toBe(0);
    // What is connected already is served.
    early.send('GET /checkout/health HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(early.statuses, patience).toEqual([200, 200]);
    const second = openAndPay(shop, 'order-2');
    close();
    await expect.poll(probe, patience).toBe(200);
    await untilPaid(shop, await second);
    await untilPaid(shop, await openAndPay(shop, 'order-3'));
    expect(await shop.stop(), shop.complaints()).toEqual([0]);
    expect(reported(shop)).toEqual(['order-1:paid', 'order-2:paid', 'order-3:paid']);
  });
});
