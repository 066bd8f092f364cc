import { forceCloseDatabase } from 'fake-indexeddb';
import { unwrap } from 'idb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createIndexedDbStore } from '../../../../demo/hosted/storage/checkout-store.ts';
import { createTestClock } from '../../../server-kit/kit/test-clock.ts';
import { describeOutbox } from '../../../server-kit/stores/outbox.conformance.ts';
import { describePayments } from '../../../server-kit/stores/payments.conformance.ts';
import {
  budget,
  helpersFor,
  type MakeStore,
  nothingFollows,
  record,
} from '../../../server-kit/stores/store-kit.ts';
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

describePayments('IndexedDB', makeStore);
describeOutbox('IndexedDB', makeStore);

describe('a checkout store in IndexedDB', () => {
  beforeEach(clearBrowser);
  const clock = createTestClock();
  const storeOn = (db: Awaited<ReturnType<typeof connect>>) => createIndexedDbStore(db, clock);
  const paid = { checkAfterMs: 60_000, outcomes: ['paid'] } as const;

  it('is the same for the next worker', async () => {
    const db = await connect();
    const store = storeOn(db);
    await store.insert(record, nothingFollows);
    const stored = await store.update({ ...record, outcome: 'paid' }, paid);
    await store.wake('tc_1');
    await store.updateBudget(() => [{ ...budget, permits: 7 }, undefined]);
    const run = await store.claimOutboxEvent({ leaseMs: 1000 });
    const measures = await store.measure();
    db.close();

    const next = storeOn(await connect());
    expect(await next.listByOrder('order-1')).toEqual([stored]);
    expect(await next.measure()).toEqual(measures);
    expect(await next.claimDue({ limit: 9, leaseMs: 1000 })).toEqual([{ record: stored, claim: 1 }]);
    expect(await next.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
    expect(run && (await next.finishOutboxEvent(run))).toBe(true);
    expect(await next.updateBudget((state) => [budget, state?.permits])).toBe(7);
  });

  it('gives two workers that claim at once different events', async () => {
    const [store, other] = [storeOn(await connect()), storeOn(await connect())];
    const { insert, bring } = helpersFor(store);
    for (const n of [1, 2]) {
      await insert(`tc_${n}`, { orderId: `order-${n}` });
      await bring(`tc_${n}`, 'paid');
    }
    const claims = [store, other, store, other].map((one) => one.claimOutboxEvent({ leaseMs: 1000 }));
    const keys = (await Promise.all(claims)).flatMap((event) => event?.key ?? []);
    expect(keys.sort()).toEqual(['order-1:paid', 'order-2:paid']);
  });

  it('purges the events of an order with its payments, and leaves other orders alone', async () => {
    const db = await connect();
    const store = storeOn(db);
    const { insert, bring, runAll } = helpersFor(store);
    for (const n of [1, 2]) {
      await insert(`tc_${n}`, { orderId: `order-${n}` });
      const known = { ...record, reference: `tc_${n}`, orderId: `order-${n}`, outcome: 'paid' } as const;
      await store.update(known, nothingFollows);
      await bring(`tc_${n}`, 'paid');
      if (n === 1) await runAll();
    }
    expect(await store.purge(0)).toBe(1);
    expect((await db.getAll('outbox')).map(({ event }) => event.key)).toEqual(['order-2:paid']);
    expect(await store.findByReference('tc_2')).toBeDefined();
  });

  it.each(['write', 'end'] as const)(
    'rejects when the disk is full, noticed at the %s',
    async (noticedAt) => {
      const store = storeOn(await connect());
      await store.insert(record, nothingFollows);
      const repair = breakWrites('QuotaExceededError', noticedAt);
      const full = { name: 'StorageError', code: 'full', cause: { name: 'QuotaExceededError' } };
      await expect(
        store.insert({ ...record, reference: 'tc_2', attempt: 2 }, nothingFollows),
      ).rejects.toMatchObject(full);
      await expect(store.update(record, paid)).rejects.toMatchObject(full);
      await expect(store.wake('tc_1')).rejects.toMatchObject(full);
      await expect(store.updateBudget(() => [budget, undefined])).rejects.toMatchObject(full);
      repair();
      expect(await store.listByOrder('order-1')).toEqual([record]);
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
      expect(await store.update(record, paid)).toMatchObject({ version: 2 });
    },
  );

  it('rejects when the browser closes its connection, also in the middle of a write', async () => {
    const db = await connect();
    const store = storeOn(db);
    breakWrites('AbortError', 'write');
    await expect(store.insert(record, nothingFollows)).rejects.toMatchObject({ code: 'closed' });
    forceCloseDatabase(unwrap(db) as never);
    await expect(store.findByReference('tc_1')).rejects.toMatchObject({ code: 'closed' });
    expect(await storeOn(await connect()).findByReference('tc_1')).toBeUndefined();
  });
});
