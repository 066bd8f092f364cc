import { beforeEach, describe, expect, it } from 'vitest';
import { createIndexedDbCarts, createIndexedDbRecords } from '../../../../demo/hosted/storage/records.ts';
import type { ShopEvent } from '../../../../demo/merchant/shop-records.ts';
import { breakWrites, clearBrowser, connect, paidEvent } from './storage-kit.ts';

beforeEach(clearBrowser);

describe('the shop’s records in IndexedDB', () => {
  it('have one secret of each name, for all workers', async () => {
    const [records, other] = [
      createIndexedDbRecords(await connect()),
      createIndexedDbRecords(await connect()),
    ];
    const secrets = await Promise.all([records, other, records].map((one) => one.secret('carts')));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\da-f]{64}$/);
    expect(await other.secret('client secrets')).not.toBe(secrets[0]);
    clearBrowser();
    expect(await createIndexedDbRecords(await connect()).secret('carts')).not.toBe(secrets[0]);
  });

  it('have each call of a handler once, in order', async () => {
    const records = createIndexedDbRecords(await connect());
    const reversed: ShopEvent = { ...paidEvent, key: 'order-1:reversed', outcome: 'reversed' };
    for (const event of [paidEvent, { ...paidEvent, at: 'later' }, reversed]) await records.addEvent(event);
    const next = createIndexedDbRecords(await connect());
    expect(await next.eventsOf('order-1')).toEqual([paidEvent, reversed]);
    expect(await next.eventsOf('order-2')).toEqual([]);
  });

  it('reject a write when the disk is full', async () => {
    const records = createIndexedDbRecords(await connect());
    const repair = breakWrites('QuotaExceededError', 'end');
    await expect(records.addEvent(paidEvent)).rejects.toMatchObject({ code: 'full' });
    await expect(records.secret('carts')).rejects.toMatchObject({ code: 'full' });
    repair();
    expect(await records.eventsOf('order-1')).toEqual([]);
  });
});

describe('the cart in IndexedDB', () => {
  it('is the same in all tabs, until a new one is started', async () => {
    const [one, other] = [createIndexedDbCarts(await connect()), createIndexedDbCarts(await connect())];
    const headers = new Headers();
    const [first, same] = await Promise.all([one.find(headers), other.find(headers)]);
    expect(same).toEqual(first);
    const { cart } = await other.start();
    expect(cart.orderId).not.toBe(first?.orderId);
    expect(await one.find(headers)).toEqual(cart);
  });
});
