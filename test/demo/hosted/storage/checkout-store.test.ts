import { forceCloseDatabase } from 'fake-indexeddb';
import { unwrap } from 'idb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createIndexedDbStore } from '../../../../demo/hosted/storage/checkout-store.ts';
import { createTestClock } from '../../../server-kit/kit/test-clock.ts';
import { describeStore } from '../../../server-kit/stores/conformance/store.conformance.ts';
import { eventsOf, type MakeStore, orderWrite } from '../../../server-kit/stores/conformance/store-kit.ts';
import { breakWrites, clearBrowser, connect } from './storage-kit.ts';

/** Each instance has a connection of its own, as two workers would. */
const makeStore: MakeStore = async ({ now }) => {
  clearBrowser();
  const connections = [await connect(), await connect()];
  return {
    open() {
      const db = connections.pop();
      if (db === undefined) throw new Error('Both connections are in use.');
      return createIndexedDbStore(db, { now });
    },
  };
};

describeStore('IndexedDB', makeStore);

describe('a checkout store in IndexedDB', () => {
  beforeEach(clearBrowser);
  const clock = createTestClock();
  const storeOn = (db: Awaited<ReturnType<typeof connect>>) => createIndexedDbStore(db, clock);
  const write = orderWrite({
    references: ['tc_1'],
    events: eventsOf('order-1', ['paid']),
    dueAfterMs: 60_000,
  });

  it('is the same for the next worker', async () => {
    const db = await connect();
    const store = storeOn(db);
    await store.write(write);
    await store.claimOrders({ reference: 'tc_1', leaseMs: 0 });
    const run = await store.claimOutboxEvent({ leaseMs: 1000 });
    const known = [await store.readStatus({ mostWaiting: 9 }), await store.find({ reference: 'tc_1' })];
    db.close();

    const next = storeOn(await connect());
    expect([await next.readStatus({ mostWaiting: 9 }), await next.find({ reference: 'tc_1' })]).toEqual(
      known,
    );
    expect(await next.claimOrders({ limit: 9, leaseMs: 1000 })).toMatchObject([{ isWoken: true }]);
    expect(await next.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
    expect(run && (await next.updateOutboxEvent(run, { state: 'done' }))).toEqual({ nextAfterMs: null });
  });

  it.each(['write', 'end'] as const)(
    'rejects when the disk is full, noticed at the %s',
    async (noticedAt) => {
      const store = storeOn(await connect());
      await store.write(write);
      const repair = breakWrites('QuotaExceededError', noticedAt);
      const full = { name: 'StorageError', code: 'full', cause: { name: 'QuotaExceededError' } };
      await expect(store.write(orderWrite({ id: 'order-2' }))).rejects.toMatchObject(full);
      await expect(store.claimOutboxEvent({ leaseMs: 1000 })).rejects.toMatchObject(full);
      await expect(store.claimOrders({ reference: 'tc_1', leaseMs: 0 })).rejects.toMatchObject(full);
      repair();
      expect((await store.find({ orderId: 'order-2' })).record).toBeNull();
      expect(await store.claimOrders({ limit: 9, leaseMs: 1000 })).toEqual([]);
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toMatchObject({ token: 1 });
    },
  );

  it('rejects when the browser closes its connection, also in the middle of a write', async () => {
    const db = await connect();
    const store = storeOn(db);
    breakWrites('AbortError', 'write');
    await expect(store.write(write)).rejects.toMatchObject({ code: 'closed' });
    forceCloseDatabase(unwrap(db) as never);
    await expect(store.find({ reference: 'tc_1' })).rejects.toMatchObject({ code: 'closed' });
    expect(await storeOn(await connect()).find({ reference: 'tc_1' })).toMatchObject({ record: null });
  });
});
