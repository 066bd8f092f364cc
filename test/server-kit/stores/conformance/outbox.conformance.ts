import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../server-kit/engine/order/event.ts';
import { newOrder } from '../../../../server-kit/engine/order/record.ts';
import { eventsOf, type MakeStore, openStores } from './store-kit.ts';

const failure = 'no';
const [done, parked, withdrawn] = [{ state: 'done' }, { state: 'parked' }, { state: 'withdrawn' }] as const;
const waiting = (afterMs: number) => ({ state: 'waiting', afterMs, failure }) as const;
const hourMs = 3_600_000;

/** What every store must do with outbox events. Each driver's test calls this with a maker of empty stores. */
export function describeOutbox(name: string, makeStore: MakeStore): void {
  const open = async () => {
    const stores = await openStores(makeStore);
    /** Checks that no event can be claimed before this time. */
    const waits = async (ms: number): Promise<void> => {
      stores.clock.advance(ms - 1);
      expect(await stores.claimNext()).toBeUndefined();
      stores.clock.advance(1);
    };
    return { ...stores, waits };
  };

  describe(`an outbox event in the ${name} store`, () => {
    it('is claimed as it was written, and counts its runs', async () => {
      const { store, clock, write, claim, claimNext } = await open();
      const amount = 9_007_199_254_740_991;
      const events = eventsOf("o'1 ?2", ['unexpectedMoney'], 3).map((event) => ({ ...event, amount }));
      await write("o'1 ?2", { events });
      const record = newOrder("o'1 ?2");
      const run = { token: 1, failure: null, recordId: "o'1 ?2", wasLost: false, open: 1, hasMore: false };
      const first = { ...events[0], ...run, record };
      expect(await claimNext()).toEqual(first);
      clock.advance(1000);
      const lost = await claim(events[0]?.key ?? '');
      expect(lost).toEqual({ ...first, token: 2, wasLost: true });
      await store.updateOutboxEvent(lost, { ...waiting(0.5), failure: 'no\0\ud800' });
      clock.advance(1);
      const failed = { ...first, token: 3, failure: expect.stringMatching(/^no/) };
      expect(await claimNext()).toEqual(failed);
    });

    it('is claimed by one of many, and again when the lease has expired', async () => {
      const { other, add, many, waits } = await open();
      for (let index = 0; index < 10; index++) await add(`o${index}`, 'expired', 'paid');
      const claims = await many(20, (store) => store.claimOutboxEvent({ leaseMs: 1000 }));
      const keys = claims.flatMap((event) => event?.key ?? []).sort();
      expect(keys).toEqual(Array.from({ length: 10 }, (_, index) => `o${index}:0:expired`));
      await waits(1000);
      expect(await other.claimOutboxEvent({ leaseMs: 1000 })).toMatchObject({ token: 2, wasLost: true });
    });

    it('is the longest overdue, however many before it have to wait', async () => {
      const { add, clock, end, runAll } = await open();
      for (let index = 0; index < 60; index++) {
        await add(`o${index}`, 'expired', 'paid');
        await end(`o${index}:0:expired`, waiting(60_000));
      }
      clock.advance(1);
      await add('last', 'paid');
      expect(await runAll()).toEqual(['last:0:paid']);
      clock.advance(60_000);
      expect(await runAll()).toHaveLength(120);
    });

    it('can be renewed and ended only by its last run, also after the lease has expired', async () => {
      const { store, other, add, clock, waits, claim, claimNext } = await open();
      await add('o', 'paid');
      const lost = await claim('o:0:paid');
      clock.advance(900);
      const renewed = await other.updateOutboxEvent(lost, { state: 'running', leaseMs: 1000.5 });
      expect(Math.ceil(Number(renewed?.nextAfterMs))).toBe(1001);
      await waits(1001);
      const run = await claim('o:0:paid');
      const endAll = async (of: typeof run) => {
        const ends = [];
        for (const how of [{ state: 'running', leaseMs: 1000 } as const, done, withdrawn, parked, waiting(0)])
          ends.push((await store.updateOutboxEvent(of, how))?.nextAfterMs);
        return ends;
      };
      const refused = Array(5).fill(undefined);
      expect(await endAll(lost)).toEqual(refused);
      clock.advance(60_000);
      expect(await endAll(run)).toEqual([1000, null, ...refused.slice(2)]);
      expect(await endAll(run)).toEqual(refused);
      expect(await claimNext()).toBeUndefined();
    });
  });

  describe(`the events of one record in the ${name} store`, () => {
    it('run one at a time, in their order, however each run ends', async () => {
      const { store, add, waits, claim, claimNext, end } = await open();
      await add('o', 'expired', 'failed', 'amountMismatch', 'paid');
      await end('o:0:expired', done);
      const failed = await claim('o:1:failed');
      expect(await claimNext()).toBeUndefined();
      expect(await store.updateOutboxEvent(failed, waiting(5000))).toEqual({ nextAfterMs: 5000 });
      await waits(5000);
      const again = await claim('o:1:failed');
      expect(again).toMatchObject({ token: 2, failure, wasLost: false });
      expect(await store.updateOutboxEvent(again, withdrawn)).toEqual({ nextAfterMs: 0 });
      const mismatch = await claim('o:2:amountMismatch');
      expect(await claimNext()).toBeUndefined();
      expect(await store.updateOutboxEvent(mismatch, parked)).toEqual({ nextAfterMs: 0 });
      await claim('o:3:paid');
      await add('o', 'reversed');
      expect(await claimNext()).toBeUndefined();
    });

    it('end the pause of a failed one when another is added, also while it runs, and no lease', async () => {
      const { store, add, claim, claimNext, end, clock } = await open();
      await add('o', 'expired');
      await end('o:0:expired', waiting(hourMs));
      clock.advance(10);
      await add('o', 'paid');
      const run = await claim('o:0:expired');
      await add('o', 'reversed');
      expect(await claimNext()).toBeUndefined();
      expect(await store.updateOutboxEvent(run, waiting(hourMs))).toEqual({ nextAfterMs: 0 });
      expect(await end('o:0:expired', withdrawn)).toEqual({ nextAfterMs: 0 });
      await end('o:1:paid', waiting(hourMs));
      await add('o', 'unexpectedMoney');
      expect(await claimNext()).toMatchObject({ key: 'o:1:paid', wasLost: false });
    });

    it('do not wait behind a parked one, which is kept, listed, and due again when it is unparked', async () => {
      const { store, other, add, claim, claimNext, end, runAll, readStatus, clock } = await open();
      await add('o', 'reversed', 'paid', 'amountMismatch');
      expect(await end('o:0:reversed', parked)).toEqual({ nextAfterMs: 0 });
      await end('o:1:paid', done);
      clock.advance(1);
      const last = await claim('o:2:amountMismatch');
      expect(await store.updateOutboxEvent(last, parked)).toEqual({ nextAfterMs: null });
      expect([await claimNext(), await store.updateOutboxEvent(last, done)]).toEqual([undefined, undefined]);
      const names = { orderId: 'o', amount: 1000, token: 1, failure: null, record: newOrder('o') };
      expect(await readStatus(100)).toMatchObject({
        pendingOutboxEvents: 0,
        parkedEvents: 2,
        waiting: ['o:0:reversed', 'o:2:amountMismatch'].map((key) => ({ ...names, key })),
      });
      const later = { withinMs: 60_000, isStart: false };
      await other.resumeOutboxEvents({ outcomes: ['unexpectedMoney', 'reversed'], ...later });
      expect(await claim('o:0:reversed')).toMatchObject({ token: 2, wasLost: false, open: 1 });
      await add('o', 'unexpectedMoney');
      await other.resumeOutboxEvents({ outcomes: ['amountMismatch'], withinMs: 0, isStart: false });
      expect([await claimNext(), (await readStatus(100)).waiting]).toEqual([undefined, []]);
      clock.advance(1000);
      expect(await runAll()).toEqual(['o:0:reversed', 'o:2:amountMismatch', 'o:3:unexpectedMoney']);
    });

    it('are due within a minute of a start, also after a pause, or if a failing one was parked', async () => {
      const { other, add, end, claimNext, readStatus, clock } = await open();
      const resume = (isStart: boolean) =>
        other.resumeOutboxEvents({ outcomes: ['paid'], withinMs: 60_000, isStart });
      await add('a', 'paid');
      await end('a:0:paid', waiting(hourMs));
      await add('b', 'paid');
      await end('b:0:paid', { ...parked, failure });
      const listed = (await readStatus(100)).waiting.map(({ key, isParked }) => `${key} ${isParked}`);
      expect(listed.sort()).toEqual(['a:0:paid false', 'b:0:paid true']);
      await resume(false);
      clock.advance(60_000);
      expect(await claimNext()).toBeUndefined();
      await resume(true);
      // Either is first.
      const first = await claimNext();
      expect(await claimNext()).toBeUndefined();
      clock.advance(30_000);
      const keys = [first, await claimNext(), await claimNext()].map((event) => event?.key);
      expect(keys).toEqual(expect.arrayContaining(['a:0:paid', 'b:0:paid']));
    });

    it('that are unparked are spread over the time, and neither delay nor pass what is due', async () => {
      const { store, add, end, runAll, readStatus, clock } = await open();
      for (const id of ['a', 'b', 'c', 'd']) {
        await add(id, 'reversed', 'paid');
        await end(`${id}:0:reversed`, parked);
        if (id !== 'd') await end(`${id}:1:paid`, done);
      }
      await store.resumeOutboxEvents({ outcomes: ['reversed'], withinMs: 60_001, isStart: false });
      const counts = [];
      for (const ms of [0, 14_999, 1, 15_000, 15_000, 15_001]) {
        clock.advance(ms);
        counts.push((await runAll()).length);
      }
      expect(counts.reduce((sum, count) => sum + count)).toBe(5);
      expect(counts.filter((count) => count > 0).length).toBeGreaterThan(2);
      expect((await readStatus()).parkedEvents).toBe(0);
    });

    it('pass a deferred one, which is tried again when none waits before it, the longest deferred first', async () => {
      const { store, add, claim, waits, end, runAll, readStatus, clock } = await open();
      await add('o', 'reversed', 'amountMismatch', 'paid');
      const deferred = { state: 'deferred', afterMs: 5000, failure } as const;
      expect(await end('o:0:reversed', deferred)).toEqual({ nextAfterMs: 0 });
      clock.advance(1);
      await end('o:1:amountMismatch', deferred);
      expect(await end('o:2:paid', waiting(1000))).toEqual({ nextAfterMs: 1000 });
      clock.advance(1000);
      expect(await end('o:2:paid', done)).toEqual({ nextAfterMs: 0 });
      const first = await claim('o:0:reversed');
      expect(first).toMatchObject({ token: 2, failure, open: 2 });
      expect(await store.updateOutboxEvent(first, deferred)).toEqual({ nextAfterMs: 5000 });
      expect((await readStatus()).pendingOutboxEvents).toBe(2);
      await waits(5000);
      expect(await runAll()).toEqual(['o:1:amountMismatch', 'o:0:reversed']);
    });
  });

  it(`counts the events of each outcome in the ${name} store, without those that were withdrawn`, async () => {
    const { add, write, end, runAll, readStatus, clock } = await open();
    await add('a', 'expired', 'unexpectedMoney', 'unexpectedMoney');
    clock.advance(1);
    await add('b', 'expired', 'failed');
    const late = eventsOf('c', ['paid']).map((event) => ({ ...event, isLate: true }) as NewEvent);
    await write('c', { events: late });
    await end('a:0:expired', withdrawn);
    const counts = { expired: 1, failed: 1, unexpectedMoney: 2, paid: 1, late: 1 };
    expect((await readStatus()).outcomes).toMatchObject(counts);
    await runAll();
    expect((await readStatus()).outcomes).toMatchObject(counts);
  });
}
