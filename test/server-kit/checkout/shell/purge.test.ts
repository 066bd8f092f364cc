import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/checkout/checkout-options.ts';
import { createMemoryStore } from '../../../../server-kit/drivers/memory/store.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { storedPayments } from '../../kit/payment-facts.ts';
import { createTestClock } from '../../kit/test-clock.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A shop that counts how often it purges. */
function createShop(options: Partial<CheckoutOptions> = {}) {
  const clock = createTestClock();
  const store = createMemoryStore({ now: clock.now });
  const purges: number[] = [];
  const purge: typeof store.purge = async (olderThanMs) => {
    purges.push(olderThanMs);
    return store.purge(olderThanMs);
  };
  const input = { store: { ...store, purge }, purgeAfterDays: 60, random: () => 0.5, ...options };
  const shop = createNotifiedShop(input, {}, { clock });
  const live = async (days: number): Promise<void> => {
    for (let day = 0; day < days; day++) await shop.roundAfter(dayMs);
  };
  return { ...shop, purges, live };
}

describe('an order that is paid', () => {
  const noStock = () => Promise.reject(new Error('no stock'));

  it.each<[string, number, number, Partial<CheckoutOptions>]>([
    ['kept while its money may be reversed, and as many days after its last verification', 85, 1, {}],
    ['deleted then', 95, 0, {}],
    ['kept forever by default', 200, 1, { purgeAfterDays: undefined }],
    ['kept while it has undelivered events', 200, 1, { maxHandlerTries: 1, onPaid: noStock }],
  ])('is %s', async (_name, days, kept, options) => {
    const { open, pay, delivered, live, store, log } = createShop(options);
    pay((await open()).account.number);
    await delivered();
    await live(days);
    expect(await storedPayments(store)).toHaveLength(kept);
    const line = { level: 'info', type: 'purged', records: 1 };
    expect(log.filter(({ type }) => type === 'purged')).toEqual(kept === 1 ? [] : [line]);
  });
});

describe('the purge', () => {
  it.each([
    ['about once an hour, however many rounds there are', 0.5, 59, 60],
    ['sooner or later than instances that were started together', 0, 29, 30],
  ])('is tried %s', async (_name, random, before, after) => {
    const { roundAfter, purges } = createShop({ random: () => random });
    for (let minute = 0; minute <= before; minute++) await roundAfter(minute === 0 ? 0 : minuteMs);
    expect(purges).toEqual([60 * dayMs]);
    await roundAfter((after - before) * minuteMs);
    expect(purges).toHaveLength(2);
  });

  it('continues after the local clock was set back', async () => {
    let aheadMs = 10 * dayMs;
    const clock = createTestClock();
    const { checkout, purges } = createShop({ now: () => clock.now() + aheadMs });
    await checkout.reconcile();
    aheadMs = 0;
    await checkout.reconcile();
    expect(purges).toHaveLength(2);
  });

  it('is logged when it fails, and fails no round', async () => {
    const purge = () => Promise.reject(new Error('the database is away'));
    const { checkout, log } = createShop({ store: { ...createMemoryStore(), purge } });
    expect(await checkout.reconcile()).toEqual({ due: 0, failed: 0, hasMore: false });
    expect(log).toMatchObject([{ type: 'backgroundFailed', error: { message: 'the database is away' } }]);
  });

  it.each([0, 0.5, -1, 36_601])('refuses purgeAfterDays: %s', (purgeAfterDays) => {
    expect(() => createShop({ purgeAfterDays })).toThrow(/purgeAfterDays/);
  });
});

describe('a repeated callback of an order that was purged', () => {
  it('is acknowledged and logged, and reports nothing', async () => {
    const { open, pay, delivered, live, store, callBack, events, notified } = createShop();
    const { account, reference } = await open();
    pay(account.number);
    await delivered();
    await live(100);
    expect(await store.find(reference)).toBe('purged');
    expect((await callBack({ reference, status: 'succeeded', expectedAmount: 1 })).status).toBe(204);
    expect(events().at(-1)).toBe('purged payment');
    expect(notified).toEqual(['order-1:paid']);
  });
});
