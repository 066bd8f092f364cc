import { describe, expect, it } from 'vitest';
import { type MakeStore, openStores } from './store-kit.ts';

/** What every store must do with outbox events. Each driver's test calls this with a factory of empty stores. */
export function describeOutbox(name: string, makeStore: MakeStore): void {
  const open = async () => {
    const stores = await openStores(makeStore);
    await stores.insert('tc_1');
    await stores.insert('tc_2', { attempt: 2 });
    return stores;
  };

  describe(`new events in the ${name} store`, () => {
    it('is each outcome of an order, once', async () => {
      const { bring, runAll } = await open();
      await bring('tc_1', 'amountMismatch');
      await bring('tc_1', 'amountMismatch', 'paid');
      expect(await runAll()).toEqual(['order-1:amountMismatch', 'order-1:paid']);
      await bring('tc_1', 'paid', 'amountMismatch');
      expect(await runAll()).toEqual([]);
    });

    it('is claimed with its details', async () => {
      const { store, bring } = await open();
      await bring('tc_1', 'paid');
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toEqual({
        key: 'order-1:paid',
        orderId: 'order-1',
        outcome: 'paid',
        reference: 'tc_1',
        state: 'running',
        token: 1,
        wasLost: false,
        failure: null,
      });
    });

    it('is unexpected money when another payment of the order is paid, on each of them', async () => {
      const { bring, insert, runAll } = await open();
      await insert('tc_3', { attempt: 3 });
      await bring('tc_1', 'paid');
      await bring('tc_2', 'paid');
      await bring('tc_3', 'paid');
      await bring('tc_2', 'paid');
      const expected = ['order-1:paid', 'order-1:unexpectedMoney:tc_2', 'order-1:unexpectedMoney:tc_3'];
      expect(await runAll()).toEqual(expected);
    });

    it('is unexpected money when a payment ends with too little after another has paid the order', async () => {
      const { bring, runAll } = await open();
      await bring('tc_2', 'paid');
      await bring('tc_1', 'amountMismatch');
      await bring('tc_1', 'amountMismatch');
      expect(await runAll()).toEqual(['order-1:paid', 'order-1:unexpectedMoney:tc_1']);
    });

    it('is not the same money again when another payment pays the order after it', async () => {
      const { bring, runAll } = await open();
      await bring('tc_1', 'amountMismatch');
      await bring('tc_2', 'paid');
      await bring('tc_1', 'amountMismatch');
      expect(await runAll()).toEqual(['order-1:amountMismatch', 'order-1:paid']);
    });

    it('is one paid order when many payments of it are paid at once', async () => {
      const { store, other, insert, runAll } = await open();
      for (let attempt = 3; attempt <= 10; attempt++) await insert(`tc_${attempt}`, { attempt });
      const attempts = await store.listByOrder('order-1');
      const change = { checkAfterMs: null, outcomes: ['paid'] } as const;
      await Promise.all(attempts.map((attempt, index) => [store, other][index % 2]?.update(attempt, change)));
      const keys = await runAll();
      expect(keys).toHaveLength(10);
      expect(keys.filter((key) => key === 'order-1:paid')).toHaveLength(1);
    });

    it('is a reversal only after the same payment was paid', async () => {
      const { bring, runAll } = await open();
      await bring('tc_1', 'reversed');
      expect(await runAll()).toEqual([]);
      await bring('tc_1', 'paid');
      await bring('tc_2', 'paid');
      await bring('tc_2', 'reversed');
      expect(await runAll()).toEqual(['order-1:paid', 'order-1:unexpectedMoney:tc_2']);
      await bring('tc_1', 'reversed');
      expect(await runAll()).toEqual(['order-1:reversed']);
    });
  });

  describe(`an order that is paid in the ${name} store`, () => {
    it('gets no more events of its expiry or failure', async () => {
      const { bring, runAll } = await open();
      await bring('tc_1', 'expired', 'failed');
      await bring('tc_2', 'paid');
      await bring('tc_1', 'expired', 'failed');
      expect(await runAll()).toEqual(['order-1:paid']);
    });

    it('gets no event of a later expiry', async () => {
      const { bring, runAll } = await open();
      await bring('tc_2', 'paid');
      await bring('tc_1', 'expired');
      expect(await runAll()).toEqual(['order-1:paid']);
    });

    it('gets no event of an expiry that is a dead letter', async () => {
      const { store, bring, runAll, setAside } = await open();
      await bring('tc_1', 'expired');
      await setAside('order-1:expired');
      await bring('tc_2', 'paid');
      expect(await store.listDeadLetters()).toEqual([]);
      expect(await store.retryDeadLetter('order-1:expired')).toBe(false);
      expect(await runAll()).toEqual(['order-1:paid']);
    });

    it('waits until a running expiry has ended', async () => {
      const { store, other, bring, claim, runAll } = await open();
      await bring('tc_1', 'expired');
      const expired = await claim('order-1:expired');
      await bring('tc_2', 'paid');
      expect(await other.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
      expect(await store.finishOutboxEvent(expired)).toBe(true);
      expect(await runAll()).toEqual(['order-1:paid']);
    });

    it('does not run an expiry again that fails, or whose lease has passed', async () => {
      const { store, clock, bring, claim, runAll, insert } = await open();
      await bring('tc_1', 'expired');
      const failing = await claim('order-1:expired');
      await bring('tc_2', 'paid');
      expect(await store.failOutboxEvent(failing, { retryAfterMs: 0, failure: 'no' })).toBe(true);
      expect(await runAll()).toEqual(['order-1:paid']);

      await insert('tc_3', { orderId: 'order-2' });
      await bring('tc_3', 'failed');
      const hanging = await claim('order-2:failed');
      await bring('tc_3', 'paid');
      clock.advance(1000);
      expect(await runAll()).toEqual(['order-2:paid']);
      expect(await store.finishOutboxEvent(hanging)).toBe(false);
    });

    it('does not keep an expiry as a dead letter when its handler fails', async () => {
      const { store, bring, claim } = await open();
      await bring('tc_1', 'expired');
      const failing = await claim('order-1:expired');
      await bring('tc_2', 'paid');
      await store.failOutboxEvent(failing, { retryAfterMs: null, failure: 'no' });
      expect(await store.listDeadLetters()).toEqual([]);
    });

    it('leaves expiries of other orders alone', async () => {
      const { bring, insert, runAll } = await open();
      await insert('tc_3', { orderId: 'order-2' });
      await bring('tc_3', 'expired');
      await bring('tc_1', 'paid');
      expect((await runAll()).sort()).toEqual(['order-1:paid', 'order-2:expired']);
    });
  });

  describe(`an effect in the ${name} store`, () => {
    it('is claimed by one of many, and by another when the lease has passed', async () => {
      const { store, other, clock, bring } = await open();
      await bring('tc_1', 'paid');
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          [store, other][index % 2]?.claimOutboxEvent({ leaseMs: 1000 }),
        ),
      );
      expect(claims.filter((claim) => claim !== undefined)).toMatchObject([{ token: 1 }]);
      clock.advance(999);
      expect(await other.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
      clock.advance(1);
      expect(await other.claimOutboxEvent({ leaseMs: 1000 })).toMatchObject({
        key: 'order-1:paid',
        token: 2,
      });
    });

    it('of each order is claimed by one of many, when many orders have one', async () => {
      const { store, other, bring, insert } = await open();
      for (let index = 0; index < 10; index++) {
        await insert(`tc_o${index}`, { orderId: `o${index}` });
        await bring(`tc_o${index}`, 'amountMismatch', 'paid');
      }
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          [store, other][index % 2]?.claimOutboxEvent({ leaseMs: 1000 }),
        ),
      );
      const keys = claims.flatMap((claim) => claim?.key ?? []).sort();
      expect(keys).toEqual(Array.from({ length: 10 }, (_, index) => `o${index}:amountMismatch`));
    });

    it('waits for those of its order that came about before it', async () => {
      const { store, bring, claim } = await open();
      await bring('tc_1', 'amountMismatch', 'paid', 'reversed');
      for (const key of ['order-1:amountMismatch', 'order-1:paid', 'order-1:reversed']) {
        const run = await claim(key);
        expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
        await store.finishOutboxEvent(run);
      }
    });

    it('waits for one before it that has failed and is due later', async () => {
      const { store, clock, bring, claim, runAll } = await open();
      await bring('tc_1', 'paid', 'reversed');
      const paid = await claim('order-1:paid');
      await store.failOutboxEvent(paid, { retryAfterMs: 5000, failure: 'the warehouse is closed' });
      clock.advance(4999);
      expect(await runAll()).toEqual([]);
      clock.advance(1);
      const again = await claim('order-1:paid');
      expect(again).toMatchObject({ token: 2, failure: 'the warehouse is closed' });
      await store.finishOutboxEvent(again);
      expect(await runAll()).toEqual(['order-1:reversed']);
    });

    it('waits for a paid one that is a dead letter, and for no other', async () => {
      const { store, bring, runAll, setAside } = await open();
      await bring('tc_1', 'amountMismatch', 'paid', 'reversed');
      await setAside('order-1:amountMismatch');
      await setAside('order-1:paid');
      expect(await runAll()).toEqual([]);
      expect(await store.retryDeadLetter('order-1:paid')).toBe(true);
      expect(await runAll()).toEqual(['order-1:paid', 'order-1:reversed']);
    });

    it('that is retried waits for a later one of its order that runs', async () => {
      const { store, bring, claim, runAll, setAside } = await open();
      await bring('tc_1', 'amountMismatch', 'paid');
      await setAside('order-1:amountMismatch');
      const paid = await claim('order-1:paid');
      expect(await store.retryDeadLetter('order-1:amountMismatch')).toBe(true);
      expect(await runAll()).toEqual([]);
      await store.finishOutboxEvent(paid);
      expect(await runAll()).toEqual(['order-1:amountMismatch']);
    });

    it('does not wait for those of other orders', async () => {
      const { store, bring, insert, runAll, claim } = await open();
      await insert('tc_3', { orderId: 'order-2' });
      await bring('tc_1', 'paid');
      await bring('tc_3', 'paid');
      const run = await claim('order-1:paid');
      expect(await runAll()).toEqual(['order-2:paid']);
      expect(await store.finishOutboxEvent(run)).toBe(true);
    });

    it('is kept by who renews it', async () => {
      const { store, other, clock, bring, claim } = await open();
      await bring('tc_1', 'paid');
      const run = await claim('order-1:paid');
      clock.advance(900);
      expect(await store.renewOutboxEvent(run, { leaseMs: 1000 })).toBe(true);
      clock.advance(900);
      expect(await other.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
    });

    it('can be finished after the lease has expired, while nobody else has claimed it', async () => {
      const { store, clock, bring, claim, runAll } = await open();
      await bring('tc_1', 'paid');
      const run = await claim('order-1:paid');
      clock.advance(60_000);
      expect(await store.finishOutboxEvent(run)).toBe(true);
      expect(await runAll()).toEqual([]);
    });

    it('cannot be ended by a run that has lost it', async () => {
      const { store, other, clock, bring, claim } = await open();
      await bring('tc_1', 'paid');
      const lost = await claim('order-1:paid');
      clock.advance(1000);
      const taken = await other.claimOutboxEvent({ leaseMs: 1000 });
      expect(await store.renewOutboxEvent(lost, { leaseMs: 1000 })).toBe(false);
      expect(await store.failOutboxEvent(lost, { retryAfterMs: null, failure: 'late' })).toBe(false);
      expect(await store.finishOutboxEvent(lost)).toBe(false);
      expect(taken && (await other.finishOutboxEvent(taken))).toBe(true);
    });

    it('says when the run before was lost, and not when it has failed', async () => {
      const { store, clock, bring } = await open();
      await bring('tc_1', 'paid');
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toMatchObject({ token: 1, wasLost: false });
      clock.advance(1000);
      const second = await store.claimOutboxEvent({ leaseMs: 1000 });
      expect(second).toMatchObject({ token: 2, wasLost: true });
      if (second !== undefined) await store.failOutboxEvent(second, { retryAfterMs: 0, failure: 'no' });
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toMatchObject({ token: 3, wasLost: false });
    });

    it('that is done stays done', async () => {
      const { store, bring, claim } = await open();
      await bring('tc_1', 'paid');
      const run = await claim('order-1:paid');
      await store.finishOutboxEvent(run);
      expect(await store.finishOutboxEvent(run)).toBe(false);
      expect(await store.renewOutboxEvent(run, { leaseMs: 1000 })).toBe(false);
      expect(await store.failOutboxEvent(run, { retryAfterMs: 0, failure: 'no' })).toBe(false);
      expect(await store.retryDeadLetter('order-1:paid')).toBe(false);
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
    });

    it('may be leased and tried again for fractions of a millisecond, and fail with any text', async () => {
      const { store, clock, bring } = await open();
      await bring('tc_1', 'paid');
      const run = await store.claimOutboxEvent({ leaseMs: 0.5 });
      expect(run && (await store.renewOutboxEvent(run, { leaseMs: 1.5 }))).toBe(true);
      const failure = `no\0\ud800 ${'x'.repeat(10_000)}`;
      expect(run && (await store.failOutboxEvent(run, { retryAfterMs: 0.5, failure }))).toBe(true);
      clock.advance(1);
      expect(await store.claimOutboxEvent({ leaseMs: 1000 })).toMatchObject({
        failure: expect.stringMatching(/^no.*x$/),
      });
    });

    it('that is a dead letter is listed with its failure, oldest first', async () => {
      const { other, clock, bring, insert, setAside } = await open();
      await bring('tc_1', 'paid');
      clock.advance(10);
      await insert('tc_3', { orderId: 'order-2' });
      await bring('tc_3', 'expired');
      await setAside('order-1:paid');
      await setAside('order-2:expired');
      expect(await other.listDeadLetters()).toMatchObject([
        { key: 'order-1:paid', state: 'setAside', token: 1, failure: 'no' },
        { key: 'order-2:expired', state: 'setAside' },
      ]);
    });
  });
}
