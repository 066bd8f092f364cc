import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../server-kit/checkout-options.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { LogEntry } from '../../../server-kit/telemetry/log-event.ts';
import { createTestClock, createTestShop } from '../../../server-kit/testing/index.ts';

const forgetful = { purgeAfterDays: 60 };

/** A shop that counts how often it tries to forget. */
function createShop(options: Partial<CheckoutOptions> = forgetful) {
  const clock = createTestClock();
  const store = createMemoryStore({ now: clock.now });
  const log: LogEntry[] = [];
  const purges: number[] = [];
  const purge: typeof store.purge = async (olderThanMs) => {
    purges.push(olderThanMs);
    return store.purge(olderThanMs);
  };
  const onLog = (entry: LogEntry) => log.push(entry);
  const shop = createTestShop({ store: { ...store, purge }, onLog, onPaid: () => {}, ...options }, { clock });
  /** Day by day, a round each. */
  const live = async (days: number): Promise<void> => {
    for (let day = 0; day < days; day++) {
      await shop.advance({ days: 1 });
      await shop.checkout.reconcile();
    }
  };
  return { ...shop, store, log, purges, live };
}

describe('an order that is paid', () => {
  it('is deleted when it has not changed for this many days after its last verification', async () => {
    const { open, pay, live, store, log } = createShop();
    await pay(await open());
    await live(85);
    expect(await store.listByOrder('order-1')).toHaveLength(1);
    await live(10);
    expect(await store.listByOrder('order-1')).toEqual([]);
    expect(log.filter(({ type }) => type === 'purged')).toEqual([
      { level: 'info', type: 'purged', payments: 1 },
    ]);
  });

  it('is kept forever by default', async () => {
    const { open, pay, live, store, purges } = createShop({});
    await pay(await open());
    await live(200);
    expect([await store.listByOrder('order-1'), purges]).toEqual([[expect.anything()], []]);
  });

  it('is kept while it has undelivered events', async () => {
    const { open, pay, live, store } = createShop({
      ...forgetful,
      maxHandlerTries: 1,
      onPaid: () => {
        throw new Error('no stock');
      },
    });
    await pay(await open());
    await live(200);
    expect(await store.listByOrder('order-1')).toHaveLength(1);
  });
});

describe('forgetting', () => {
  it('is tried about once an hour, however many rounds there are', async () => {
    const { advance, checkout, purges } = createShop();
    for (let minute = 0; minute < 59; minute++) {
      await checkout.reconcile();
      await advance({ minutes: 1 });
    }
    expect(purges).toEqual([60 * 24 * 3_600_000]);
    await advance({ minutes: 1 });
    await checkout.reconcile();
    expect(purges).toHaveLength(2);
  });

  it('is tried at different moments by instances that were started together', async () => {
    const triesWithin45Minutes = async (random: number): Promise<number> => {
      const { advance, checkout, purges } = createShop({ ...forgetful, random: () => random });
      await checkout.reconcile();
      await advance({ minutes: 45 });
      await checkout.reconcile();
      return purges.length;
    };
    expect([await triesWithin45Minutes(0), await triesWithin45Minutes(0.5)]).toEqual([2, 1]);
  });

  it('continues after the local clock was set back', async () => {
    let aheadMs = 10 * 24 * 3_600_000;
    const clock = createTestClock();
    const { checkout, purges } = createShop({ ...forgetful, now: () => clock.now() + aheadMs });
    await checkout.reconcile();
    aheadMs = 0;
    await checkout.reconcile();
    expect(purges).toHaveLength(2);
  });

  it('is done by a checkout that was started', async () => {
    const { checkout, advance, purges } = createShop();
    checkout.start();
    await advance({ hours: 3, minutes: 1 });
    expect(purges).toHaveLength(4);
    await checkout.stop();
  });

  it('is done by POST reconcile', async () => {
    const reconcileKey = 'a-key-that-only-the-timer-of-ours-has';
    const { checkout, purges } = createShop({ ...forgetful, reconcileKey });
    const response = await checkout.handler(
      new Request('https://shop.example/checkout/reconcile', {
        method: 'POST',
        headers: { authorization: `Bearer ${reconcileKey}` },
      }),
    );
    expect([response.status, purges.length]).toEqual([200, 1]);
  });

  it('that fails is logged, and fails no round', async () => {
    const store = createMemoryStore();
    const purge = () => Promise.reject(new Error('the database is away'));
    const { checkout, log } = createShop({ ...forgetful, store: { ...store, purge } });
    await expect(checkout.reconcile()).resolves.toEqual({ due: 0, failed: 0, hasMore: false });
    expect(log).toMatchObject([{ type: 'backgroundFailed', error: { message: 'the database is away' } }]);
  });

  it.each([0, 0.5, -1, 36_601])('refuses purgeAfterDays: %s', (purgeAfterDays) => {
    expect(() => createShop({ purgeAfterDays })).toThrow(/purgeAfterDays/);
  });
});
