import { describe, expect, it } from 'vitest';
import { openAndPay } from '../outages/load.ts';
import { describeLimitedShop, reported } from './limited-shop.ts';

const createShop = describeLimitedShop();

describe('a shop whose handler uses up its memory', () => {
  it('ends, and the next process calls the handler again, once', async () => {
    const shop = await createShop();
    const settings = { handlerLeaseMs: 1000, aheadMs: null };
    await shop.start({ heapMegabytes: 64 }, { ...settings, killAt: 'outOfMemory' });
    await openAndPay(shop, 'order-1');
    await shop.exited(0);
    expect(shop.complaints()).toContain('heap out of memory');
    await shop.start({ heapMegabytes: 64 }, settings);
    await expect.poll(() => reported(shop), { timeout: 60_000, interval: 100 }).toEqual(['order-1:paid']);
    expect(await shop.stop()).toEqual([0]);
    expect(shop.calls().filter(({ at }) => at === 'begun')).toHaveLength(2);
    expect(reported(shop)).toEqual(['order-1:paid']);
  });
});
