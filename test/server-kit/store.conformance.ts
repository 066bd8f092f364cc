import { describe, expect, it } from 'vitest';
import type { PaymentRecord, Store } from '../../server-kit/stores/store.ts';

const record: PaymentRecord = {
  reference: 'tc_1',
  orderId: 'order-1',
  attempt: 1,
  amount: { value: 1000, currency: 'NGN' },
  opened: null,
  observed: null,
  outcome: 'pending',
  createdAt: '2026-03-01T12:00:00.000Z',
  version: 1,
};

/** What every store must do. Each driver's test calls this with a maker of empty stores. */
export function describeStore(name: string, createStore: () => Store | Promise<Store>): void {
  describe(`the ${name} store`, () => {
    it('gives back what was inserted', async () => {
      const store = await createStore();
      expect(await store.insert(record)).toBe(true);
      expect(await store.findByReference('tc_1')).toEqual(record);
      expect((await store.listByOrder('order-1')).at(-1)).toEqual(record);
    });

    it('gives undefined for what it does not have', async () => {
      const store = await createStore();
      expect(await store.findByReference('tc_1')).toBeUndefined();
      expect((await store.listByOrder('order-1')).at(-1)).toBeUndefined();
      expect(await store.update(record)).toBeUndefined();
    });

    it('refuses a second record of a reference, and a second of an order’s attempt', async () => {
      const store = await createStore();
      await store.insert(record);
      expect(await store.insert({ ...record, orderId: 'order-2' })).toBe(false);
      expect(await store.insert({ ...record, reference: 'tc_2' })).toBe(false);
      expect(await store.findByReference('tc_2')).toBeUndefined();
      expect((await store.listByOrder('order-2')).at(-1)).toBeUndefined();
    });

    it('lets one of many inserts of the same attempt win', async () => {
      const store = await createStore();
      const references = Array.from({ length: 20 }, (_, index) => `tc_${index}`);
      const inserted = await Promise.all(
        references.map((reference) => store.insert({ ...record, reference })),
      );
      expect(inserted.filter(Boolean)).toHaveLength(1);
    });

    it('finds the latest attempt of an order', async () => {
      const store = await createStore();
      await store.insert(record);
      await store.insert({ ...record, reference: 'tc_2', attempt: 2 });
      await store.update({ ...record, outcome: 'replaced' });
      expect((await store.listByOrder('order-1')).at(-1)).toMatchObject({ reference: 'tc_2' });
    });

    it('lists the attempts of an order by their number, and of no other order', async () => {
      const store = await createStore();
      for (const attempt of [2, 10, 1, 3]) {
        await store.insert({ ...record, reference: `tc_${attempt}`, attempt });
      }
      await store.insert({ ...record, reference: 'tc_other', orderId: 'order-2', attempt: 4 });
      const attempts = await store.listByOrder('order-1');
      expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 10]);
    });

    it('updates the version that was read, and counts it up', async () => {
      const store = await createStore();
      await store.insert(record);
      const stored = await store.update({ ...record, outcome: 'paid' });
      expect(stored).toEqual({ ...record, outcome: 'paid', version: 2 });
      expect(await store.findByReference('tc_1')).toEqual(stored);
    });

    it('refuses an update of a version that has passed', async () => {
      const store = await createStore();
      await store.insert(record);
      await store.update({ ...record, outcome: 'paid' });
      expect(await store.update({ ...record, outcome: 'expired' })).toBeUndefined();
      expect(await store.findByReference('tc_1')).toMatchObject({ outcome: 'paid' });
    });

    it('lets one of many updates of the same version win', async () => {
      const store = await createStore();
      await store.insert(record);
      const stored = await Promise.all(
        Array.from({ length: 20 }, () => store.update({ ...record, outcome: 'paid' })),
      );
      expect(stored.filter((one) => one !== undefined)).toHaveLength(1);
      expect(await store.findByReference('tc_1')).toMatchObject({ version: 2 });
    });

    it('gives copies, so that nobody changes it from outside', async () => {
      const store = await createStore();
      const given = structuredClone(record);
      await store.insert(given);
      given.amount.value = 1;
      const read = (await store.findByReference('tc_1')) as PaymentRecord;
      read.amount.value = 2;
      expect((await store.listByOrder('order-1')).at(-1)).toEqual(record);
    });
  });
}
