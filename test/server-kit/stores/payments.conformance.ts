import { describe, expect, it } from 'vitest';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import type { ClaimEnd, DuePayment, Store } from '../../../server-kit/stores/store.ts';
import { budget, type MakeStore, nothingFollows, openStores, record } from './store-kit.ts';

const opened = {
  paymentId: 'pay_1',
  account: { number: '0000014579', name: 'Shop "A"', bankName: 'Bank' },
  openedAt: '2026-03-01T12:00:01.000Z',
  expiresAt: '2026-03-01T12:30:00.000Z',
  liveMode: false,
};

/** What every store must do with payments. Each driver's test calls this with a maker of empty stores. */
export function describePayments(name: string, makeStore: MakeStore): void {
  const open = () => openStores(makeStore);

  describe(`payments in the ${name} store`, () => {
    it('come back as they were inserted', async () => {
      const { store, other } = await open();
      expect(await store.insert(record, nothingFollows)).toBe(true);
      expect(await other.findByReference('tc_1')).toEqual(record);
      expect((await other.listByOrder('order-1')).at(-1)).toEqual(record);
    });

    it('that are opened and observed come back whole, with amounts beyond 32 bits and any text', async () => {
      const { store, other } = await open();
      const full: PaymentRecord = {
        ...record,
        orderId: "o'1 $1 ?1 \u00e9\u20a6",
        amount: { value: 9_007_199_254_740_991, currency: 'NGN' },
        opened,
        observed: { status: 'charged', chargedAmount: 12, updatedAt: '2026-03-01T12:00:02.000Z' },
      };
      await store.insert(full, nothingFollows);
      expect(await other.listByOrder(full.orderId)).toEqual([full]);
    });

    it('that are not there are undefined', async () => {
      const { store } = await open();
      expect(await store.findByReference('tc_1')).toBeUndefined();
      expect(await store.listByOrder('order-1')).toEqual([]);
      expect(await store.update(record, nothingFollows)).toBeUndefined();
      expect(await store.wake('tc_1')).toBe(false);
    });

    it('are refused for a reference or an order’s attempt number that exists', async () => {
      const { store } = await open();
      await store.insert(record, nothingFollows);
      expect(await store.insert({ ...record, orderId: 'order-2' }, nothingFollows)).toBe(false);
      expect(await store.insert({ ...record, reference: 'tc_2' }, nothingFollows)).toBe(false);
      expect(await store.findByReference('tc_2')).toBeUndefined();
      expect(await store.listByOrder('order-2')).toEqual([]);
    });

    it('are inserted once when many insert the same attempt number', async () => {
      const { store, other } = await open();
      const inserted = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          [store, other][index % 2]?.insert({ ...record, reference: `tc_${index}` }, nothingFollows),
        ),
      );
      expect(inserted.filter(Boolean)).toHaveLength(1);
    });

    it('are listed by their attempt number, and of no other order', async () => {
      const { store, insert } = await open();
      for (const attempt of [2, 10, 1, 3]) await insert(`tc_${attempt}`, { attempt });
      await insert('tc_other', { orderId: 'order-2', attempt: 4 });
      const attempts = await store.listByOrder('order-1');
      expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 10]);
    });

    it('are updated where the version was read, which is counted up', async () => {
      const { store, other } = await open();
      await store.insert(record, nothingFollows);
      const stored = await store.update({ ...record, outcome: 'paid' }, nothingFollows);
      expect(stored).toEqual({ ...record, outcome: 'paid', version: 2 });
      expect(await other.findByReference('tc_1')).toEqual(stored);
    });

    it('are not updated, and bring nothing about, where the version has passed', async () => {
      const { store, other } = await open();
      await store.insert(record, nothingFollows);
      await store.update({ ...record, outcome: 'expired' }, nothingFollows);
      const late = await other.update(
        { ...record, outcome: 'paid' },
        { checkAfterMs: 0, outcomes: ['paid'] },
      );
      expect(late).toBeUndefined();
      expect(await store.findByReference('tc_1')).toMatchObject({ outcome: 'expired' });
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
      expect(await store.claimDue({ limit: 1, leaseMs: 1000 })).toEqual([]);
    });

    it('are updated once when many update the same version, with the events of that update', async () => {
      const { store, other, runAll } = await open();
      await store.insert(record, nothingFollows);
      const stored = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          [store, other][index % 2]?.update(
            { ...record, outcome: 'paid' },
            { checkAfterMs: null, outcomes: index < 10 ? ['paid'] : ['amountMismatch'] },
          ),
        ),
      );
      expect(stored.filter((one) => one !== undefined)).toHaveLength(1);
      expect(await store.findByReference('tc_1')).toMatchObject({ version: 2 });
      expect(await runAll()).toHaveLength(1);
    });

    it('are returned as copies, so that callers cannot change them', async () => {
      const { store } = await open();
      const given = structuredClone(record);
      await store.insert(given, nothingFollows);
      given.amount.value = 1;
      const read = (await store.findByReference('tc_1')) as PaymentRecord;
      read.amount.value = 2;
      const updated = await store.update(record, nothingFollows);
      if (updated !== undefined) updated.amount.value = 3;
      const [listed] = await store.listByOrder('order-1');
      expect(listed).toEqual({ ...record, version: 2 });
    });
  });

  describe(`a payment that is due in the ${name} store`, () => {
    const references = (due: { record: PaymentRecord }[]) => due.map(({ record }) => record.reference);
    const insertDue = (store: Store, reference: string, checkAfterMs: number | null) =>
      store.insert({ ...record, reference, orderId: `of-${reference}` }, { checkAfterMs });

    it('is claimed when its time has come on the store’s clock, and not before', async () => {
      const { store, other, clock } = await open();
      await insertDue(store, 'tc_1', 5000);
      await insertDue(store, 'tc_never', null);
      clock.advance(4999);
      expect(await other.claimDue({ limit: 10, leaseMs: 1000 })).toEqual([]);
      clock.advance(1);
      expect(await other.claimDue({ limit: 10, leaseMs: 1000 })).toEqual([
        { record: { ...record, orderId: 'of-tc_1' }, claim: null },
      ]);
    });

    it('may be due after a fraction of a millisecond', async () => {
      const { store, clock } = await open();
      await insertDue(store, 'tc_1', 1000.5);
      clock.advance(1001);
      const [due] = await store.claimDue({ limit: 1, leaseMs: 0.5 });
      if (due !== undefined) await store.update(due.record, { checkAfterMs: 0.25, outcomes: [] });
      clock.advance(1);
      expect(await store.claimDue({ limit: 1, leaseMs: 1000 })).toMatchObject([{ record: { version: 2 } }]);
    });

    it('is claimed by nobody else until the lease has expired', async () => {
      const { store, other, clock } = await open();
      await insertDue(store, 'tc_1', 0);
      expect(await store.claimDue({ limit: 10, leaseMs: 1000 })).toHaveLength(1);
      clock.advance(999);
      expect(await other.claimDue({ limit: 10, leaseMs: 1000 })).toEqual([]);
      clock.advance(1);
      expect(await other.claimDue({ limit: 10, leaseMs: 1000 })).toHaveLength(1);
    });

    it('is due again when its update says so', async () => {
      const { store, clock } = await open();
      await insertDue(store, 'tc_1', 0);
      const [due] = await store.claimDue({ limit: 1, leaseMs: 60_000 });
      if (due !== undefined) await store.update(due.record, { checkAfterMs: 2000, outcomes: [] });
      clock.advance(2000);
      expect(await store.claimDue({ limit: 1, leaseMs: 1000 })).toHaveLength(1);
    });

    it('returns the woken ones first, then the longest overdue, up to the limit', async () => {
      const { store, clock } = await open();
      for (const [reference, afterMs] of Object.entries({ tc_3: 3000, tc_1: 1000, tc_2: 2000 })) {
        await insertDue(store, reference, afterMs);
      }
      await insertDue(store, 'tc_woken', null);
      clock.advance(5000);
      expect(await store.wake('tc_woken')).toBe(true);
      const first = await store.claimDue({ limit: 2, leaseMs: 1000 });
      expect(references(first)).toEqual(['tc_woken', 'tc_1']);
      expect(first.map(({ claim }) => claim)).toEqual([1, null]);
      expect(references(await store.claimDue({ limit: 2, leaseMs: 1000 }))).toEqual(['tc_2', 'tc_3']);
    });

    it('is shared out among many who claim at once, each to one of them', async () => {
      const { store, other } = await open();
      for (let index = 0; index < 30; index++) await insertDue(store, `tc_${index}`, 0);
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          [store, other][index % 2]?.claimDue({ limit: 3, leaseMs: 1000 }),
        ),
      );
      const claimed = references(claims.flatMap((due) => due ?? []));
      const rest = references(await store.claimDue({ limit: 30, leaseMs: 1000 }));
      expect(new Set([...claimed, ...rest]).size).toBe(30);
      expect(claimed.length + rest.length).toBe(30);
    });

    it('stays due when it was woken after its claim, whatever the update says', async () => {
      const { store, other } = await open();
      await insertDue(store, 'tc_1', 0);
      const [due] = await store.claimDue({ limit: 1, leaseMs: 60_000 });
      await other.wake('tc_1');
      if (due !== undefined) await store.update(due.record, { checkAfterMs: null, outcomes: [] });
      const again = await other.claimDue({ limit: 1, leaseMs: 60_000 });
      expect(again).toMatchObject([{ claim: expect.any(Number), record: { version: 2 } }]);
      if (again[0] !== undefined) await other.update(again[0].record, nothingFollows);
      expect(await store.claimDue({ limit: 1, leaseMs: 1000 })).toEqual([]);
    });

    it('stays due until the requested verification is made, whatever an earlier one writes', async () => {
      const { store, other, clock } = await open();
      await insertDue(store, 'tc_1', 0);
      const [early] = await store.claimDue({ limit: 1, leaseMs: 60_000 });
      await other.wake('tc_1');
      const claim = async () => (await other.claimDue({ limit: 1, leaseMs: 60_000 }))[0];
      const end = (due: DuePayment | undefined, result: ClaimEnd['result'], checkAfterMs: number | null) =>
        due?.claim &&
        store.update(due.record, { checkAfterMs, outcomes: [], claim: { number: due.claim, result } });
      await claim();
      if (early !== undefined) await store.update(early.record, nothingFollows);
      clock.advance(60_000);
      const late = await claim();
      expect(late).toMatchObject({ claim: expect.any(Number), record: { version: 2 } });
      await end(late, 'failed', 1000);
      clock.advance(1000);
      const again = await claim();
      expect(again).toMatchObject({ claim: expect.any(Number), record: { version: 3 } });
      await end(again, 'verified', null);
      clock.advance(3_600_000);
      expect(await claim()).toBeUndefined();
    });

    it('is not settled by a verification that was claimed before it was woken again', async () => {
      const { store, other } = await open();
      await insertDue(store, 'tc_1', null);
      await store.wake('tc_1');
      const [due] = await store.claimDue({ limit: 1, leaseMs: 60_000 });
      await other.wake('tc_1');
      const verified = { number: due?.claim ?? 0, result: 'verified' } as const;
      if (due !== undefined) await store.update(due.record, { ...nothingFollows, claim: verified });
      expect(await other.claimDue({ limit: 1, leaseMs: 1000 })).toMatchObject([
        { claim: expect.any(Number) },
      ]);
    });

    it('is not settled by a verification that was claimed earlier, though the later one is under way', async () => {
      const { store, other, clock } = await open();
      await insertDue(store, 'tc_1', null);
      await store.wake('tc_1');
      const [first] = await store.claimDue({ limit: 1, leaseMs: 60_000 });
      await other.wake('tc_1');
      await other.claimDue({ limit: 1, leaseMs: 60_000 });
      const verified = { number: first?.claim ?? 0, result: 'verified' } as const;
      if (first !== undefined) await store.update(first.record, { ...nothingFollows, claim: verified });
      // The process with the later verification died, so it is still due.
      clock.advance(60_000);
      expect(await store.claimDue({ limit: 1, leaseMs: 1000 })).toMatchObject([
        { claim: expect.any(Number) },
      ]);
    });
  });

  describe(`the ${name} store`, () => {
    it('loses no change of the budget, whichever instances change it at once', async () => {
      const { store, other } = await open();
      const count = (one: typeof store) =>
        one.updateBudget((state) => {
          const permits = (state?.permits ?? 0) + 1;
          return [{ ...budget, permits }, permits];
        });
      const counts = await Promise.all(
        Array.from({ length: 40 }, (_, index) => count(index % 2 === 0 ? store : other)),
      );
      expect(counts.sort((left, right) => left - right)).toEqual(counts.map((_, index) => index + 1));
    });

    it('keeps the budget, and changes it by its own clock', async () => {
      const { store, other, clock } = await open();
      const state = { ...budget, ratePerSecond: 12.75, permits: -0.5, limitPerSecond: 15, decreasedAtMs: 7 };
      expect(await store.updateBudget((known) => [state, known])).toBeUndefined();
      clock.advance(1500);
      expect(await other.updateBudget((known, nowMs) => [budget, [known, nowMs]])).toEqual([
        state,
        clock.now(),
      ]);
    });

    it('keeps the budget if the change throws', async () => {
      const { store, other } = await open();
      await store.updateBudget(() => [budget, undefined]);
      const failing = () => {
        throw new Error('no change');
      };
      await expect(store.updateBudget(failing)).rejects.toThrow('no change');
      expect(await other.updateBudget((known) => [budget, known])).toEqual(budget);
      expect(await store.updateBudget((known) => [budget, known])).toEqual(budget);
    });

    it('claims only what was woken, with isWoken', async () => {
      const { store, insert } = await open();
      await store.insert({ ...record, reference: 'tc_due' }, { checkAfterMs: 0 });
      await insert('tc_woken', { attempt: 2 });
      await store.wake('tc_woken');
      const claim = (isWoken: boolean) => store.claimDue({ limit: 9, leaseMs: 1000, isWoken });
      expect(await claim(true)).toMatchObject([{ record: { reference: 'tc_woken' }, claim: 1 }]);
      expect(await claim(true)).toEqual([]);
      expect(await claim(false)).toMatchObject([{ record: { reference: 'tc_due' }, claim: null }]);
    });

    it('measures how long payments wait, how late checks are, and how many events are pending', async () => {
      const { store, clock, insert, bring, setAside } = await open();
      const nothing = {
        oldestUnpaidMs: null,
        oldestConfirmingMs: null,
        checkLagMs: 0,
        pendingOutboxEvents: 0,
        deadLetters: 0,
      };
      expect(await store.measure()).toEqual(nothing);
      await insert('tc_1');
      await store.insert({ ...record, reference: 'tc_2', attempt: 2 }, { checkAfterMs: 1000 });
      await bring('tc_1', 'amountMismatch');
      await setAside('order-1:amountMismatch');
      await bring('tc_1', 'paid');
      clock.advance(5000);
      expect(await store.measure()).toEqual({
        oldestUnpaidMs: 5000,
        oldestConfirmingMs: null,
        checkLagMs: 4000,
        pendingOutboxEvents: 1,
        deadLetters: 1,
      });
    });

    it('find the one that has been unpaid for the longest', async () => {
      const { store, other, clock, insert } = await open();
      expect(await store.findOldestUnpaid()).toBeUndefined();
      await store.insert({ ...record, reference: 'tc_paid', outcome: 'paid' }, nothingFollows);
      for (const attempt of [2, 3]) {
        clock.advance(1000);
        await insert(`tc_${attempt}`, { attempt });
      }
      expect(await other.findOldestUnpaid()).toEqual({ ...record, reference: 'tc_2', attempt: 2 });
    });

    it('counts the outcomes of all orders, without those that a payment has overtaken', async () => {
      const { store, other, insert, bring } = await open();
      const none = {
        paid: 0,
        failed: 0,
        expired: 0,
        reversed: 0,
        amountMismatch: 0,
        unexpectedMoney: 0,
        late: 0,
      };
      expect(await store.countOutcomes()).toEqual(none);
      await insert('tc_1');
      await bring('tc_1', 'expired');
      await bring('tc_1', 'paid');
      await insert('tc_2', { orderId: 'order-2' });
      await bring('tc_2', 'expired');
      await insert('tc_3', { attempt: 2 });
      await bring('tc_3', 'paid');
      expect(await other.countOutcomes()).toEqual({ ...none, paid: 1, expired: 1, unexpectedMoney: 1 });
    });

    it('counts the payments that paid their order after the account had expired', async () => {
      const { store, other } = await open();
      const late = { outcome: 'paid', opened, outcomeAt: '2026-03-01T12:30:00.001Z' } as const;
      const observed = { status: 'succeeded', chargedAmount: 1000, updatedAt: '2026-03-01T13:00:00.000Z' };
      const payments: Partial<PaymentRecord>[] = [
        late,
        { outcome: 'paid', opened, observed },
        { ...late, outcomeAt: opened.expiresAt, observed },
        { ...late, isSecondPayment: true },
        { ...late, outcome: 'reversed' },
        { ...late, opened: null },
        { outcome: 'paid', opened },
      ];
      for (const [index, payment] of payments.entries()) {
        const place = { reference: `tc_${index}`, orderId: `order-${index}` };
        await store.insert({ ...record, ...place, ...payment }, { checkAfterMs: null });
      }
      expect((await other.countOutcomes()).late).toBe(2);
    });

    it('measures how long the oldest payment has waited to be confirmed, through writes that leave it waiting', async () => {
      const { store, other, clock, insert } = await open();
      const oldestMs = async () => (await other.measure()).oldestConfirmingMs;
      const write = async (reference: string, confirming?: PaymentRecord['confirming']): Promise<void> => {
        const { confirming: _, ...known } = (await store.findByReference(reference)) as PaymentRecord;
        await store.update({ ...known, ...(confirming && { confirming }) }, nothingFollows);
      };
      const confirming = { since: '2026-03-01T12:00:00.000Z' };
      await insert('tc_1');
      await insert('tc_2', { attempt: 2 });
      await write('tc_1', confirming);
      clock.advance(3000);
      await write('tc_2', confirming);
      await write('tc_1', { ...confirming, isLate: true });
      clock.advance(2000);
      expect(await oldestMs()).toBe(5000);
      expect((await other.findByReference('tc_1'))?.confirming).toEqual({ ...confirming, isLate: true });
      await write('tc_1');
      expect(await oldestMs()).toBe(2000);
      await write('tc_2');
      expect(await oldestMs()).toBeNull();
    });

    it('migrates on every call', async () => {
      const { store, insert } = await open();
      await insert('tc_1');
      await store.migrate();
      await store.migrate();
      expect(await store.findByReference('tc_1')).toBeDefined();
    });
  });

  describe(`a purge of the ${name} store`, () => {
    const settle = async ({ store }: Awaited<ReturnType<typeof open>>, reference: string) => {
      const current = (await store.findByReference(reference)) as PaymentRecord;
      await store.update({ ...current, outcome: 'paid' }, { checkAfterMs: null, outcomes: ['paid'] });
    };

    it('deletes what was settled and delivered long ago, with its events', async () => {
      const stores = await open();
      const { store, clock, insert, runAll } = stores;
      await insert('tc_1');
      await settle(stores, 'tc_1');
      await runAll();
      expect(await store.purge(1000)).toBe(0);
      clock.advance(1000);
      expect(await store.purge(1000)).toBe(1);
      expect(await store.findByReference('tc_1')).toBeUndefined();
      expect(await store.listByOrder('order-1')).toEqual([]);
      await insert('tc_1');
      await settle(stores, 'tc_1');
      expect(await runAll()).toEqual(['order-1:paid']);
    });

    it('keeps what is pending, what is due again, and what has undelivered events', async () => {
      const stores = await open();
      const { store, clock, insert, runAll, setAside } = stores;
      await insert('tc_pending', { orderId: 'order-1' });
      await insert('tc_watched', { orderId: 'order-2' });
      await settle(stores, 'tc_watched');
      await runAll();
      await store.wake('tc_watched');
      await insert('tc_set_aside', { orderId: 'order-3' });
      await settle(stores, 'tc_set_aside');
      await setAside('order-3:paid');
      await insert('tc_waiting', { orderId: 'order-4' });
      await settle(stores, 'tc_waiting');
      clock.advance(60_000);
      expect(await store.purge(1000)).toBe(0);
    });

    it('deletes as many as there are, and leaves those between them', async () => {
      const stores = await open();
      const { store, clock } = stores;
      const settled = { ...record, outcome: 'replaced' } as const;
      for (let index = 0; index < 1010; index++) {
        const change = { checkAfterMs: index % 101 === 0 ? 90_000 : null };
        await store.insert({ ...settled, reference: `tc_${index}`, orderId: `order-${index}` }, change);
      }
      clock.advance(1000);
      expect(await store.purge(1000)).toBe(1000);
      expect(await store.findByReference('tc_101')).toBeDefined();
      expect(await store.purge(1000)).toBe(0);
    });

    it('keeps an order whole while money may still come on one of its payments', async () => {
      const stores = await open();
      const { store, clock, insert, runAll } = stores;
      await insert('tc_1');
      await settle(stores, 'tc_1');
      await runAll();
      await store.insert(
        { ...record, reference: 'tc_2', attempt: 2, outcome: 'replaced' },
        { checkAfterMs: 90_000 },
      );
      clock.advance(60_000);
      expect(await store.purge(1000)).toBe(0);
      await settle(stores, 'tc_2');
      expect(await runAll()).toEqual(['order-1:unexpectedMoney:tc_2']);
      clock.advance(1000);
      expect(await store.purge(1000)).toBe(2);
    });
  });
}
