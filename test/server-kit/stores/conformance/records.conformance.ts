import { describe, expect, it } from 'vitest';
import { lateConfirmationMs } from '../../../../server-kit/engine/order/money.ts';
import { newOrder, type Order } from '../../../../server-kit/engine/order/record.ts';
import { type DueRecord, mostCounted } from '../../../../server-kit/engine/store.ts';
import { eventsOf, type MakeStore, openStores, orderWrite } from './store-kit.ts';

const dayMs = 24 * 3_600_000;
const failure = 'no';
/** A wake whose claim has expired at once. */
const atOnce = { leaseMs: 0 };

const orderIdOf = ({ record }: Pick<DueRecord, 'record'>): string => record.orderId;

/** What every store must do with orders. Each driver's test calls this with a maker of empty stores. */
export function describeRecords(name: string, makeStore: MakeStore): void {
  type ClaimOptions = { limit?: number; leaseMs?: number };
  const open = async () => {
    const stores = await openStores(makeStore);
    const claimDue = (options: ClaimOptions = {}) =>
      stores.store.claimOrders({ limit: 10, leaseMs: 1000, ...options });
    const claimIds = async (options: ClaimOptions = {}) => (await claimDue(options)).map(orderIdOf).sort();
    const claimWoken = async () => {
      await stores.write('o', { references: ['tc_1'] });
      expect(await stores.store.claimOrders({ reference: 'tc_1', leaseMs: 60_000 })).toMatchObject([
        { claim: 1, isWoken: true },
      ]);
    };
    /** Checks that an order is due after this time, and no sooner; or none, without an order. */
    const isDueAfter = async (ms: number, expected?: object): Promise<void> => {
      stores.clock.advance(ms - 1);
      expect(await claimDue()).toEqual([]);
      stores.clock.advance(1);
      expect(await claimDue()).toMatchObject(expected === undefined ? [] : [expected]);
    };
    return { ...stores, claimDue, claimIds, claimWoken, isDueAfter };
  };

  describe(`a record in the ${name} store`, () => {
    it('is read as it was written, by each instance, with amounts beyond 32 bits and any text', async () => {
      const { store, other, clock } = await open();
      const id = "o'1 $1 ?1 \\ \u00e9\u20a6";
      const money = { tc_1: { amount: 9_007_199_254_740_991, movements: 1 } };
      const record: Order = { ...newOrder(id), reported: { ...newOrder(id).reported, money } };
      const unknown = { record: null, version: 0, storeNow: clock.now() };
      for (const by of [{ orderId: id }, { reference: id }]) expect(await store.find(by)).toEqual(unknown);
      expect(await other.claimOrders({ reference: id, ...atOnce })).toEqual([]);
      expect(await store.write(orderWrite({ id, record, version: 1 }))).toBe(false);
      expect(await store.write(orderWrite({ id, record, references: [`${id}-a`, `${id}-b`] }))).toBe(true);
      const stored = { record, version: 1, storeNow: clock.now() };
      expect(await other.find({ orderId: id })).toEqual(stored);
      expect(await other.find({ reference: `${id}-b` })).toEqual(stored);
    });

    it.each([0, 1])('is written once, with all of it, when many write version %i', async (version) => {
      const { store, other, write, many, runAll } = await open();
      if (version === 1) await write('o');
      const written = await many(20, (one, index) => {
        const events = eventsOf('o', ['paid'], index);
        return one.write(orderWrite({ id: 'o', version, references: [`tc_${index}`], events }));
      });
      const winner = written.indexOf(true);
      expect(written.filter(Boolean)).toHaveLength(1);
      expect(await store.find({ orderId: 'o' })).toMatchObject({ version: version + 1 });
      const found = await Promise.all(written.map((_, index) => other.find({ reference: `tc_${index}` })));
      expect(found.map(({ record }) => record !== null)).toEqual(written);
      expect(await runAll()).toEqual([`o:${winner}:paid`]);
    });

    it('is not written, with nothing else, if one of its references is taken', async () => {
      const { store, many, runAll } = await open();
      const change = { references: ['tc_new', 'tc_1'], events: eventsOf('o', ['paid']) };
      const written = await many(10, (store, index) =>
        store.write(orderWrite({ id: `${index}`, references: ['tc_1'] })),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
      const id = `${written.indexOf(true)}`;
      expect(await store.write(orderWrite({ ...change, id: 'o' }))).toBe(false);
      expect(await store.write(orderWrite({ ...change, id, version: 1 }))).toBe(false);
      expect(await store.find({ reference: 'tc_1' })).toMatchObject({ record: newOrder(id), version: 1 });
      const found = [await store.find({ orderId: 'o' }), await store.find({ reference: 'tc_new' })];
      expect([found.map(({ record }) => record), await runAll()]).toEqual([[null, null], []]);
    });

    it('is a copy, which callers cannot change', async () => {
      const { store, claimDue, readStatus } = await open();
      const record = { ...newOrder('o'), payments: [] };
      const change = { record, references: ['tc_1'], dueAfterMs: 0, awaits: 'money' } as const;
      await store.write(orderWrite({ id: 'o', ...change }));
      const found = await store.find({ reference: 'tc_1' });
      const read = [await store.find({ orderId: 'o' }), ...(await claimDue()), found];
      const copies = [record, (await readStatus()).oldestUnpaid, ...read.map((copy) => copy?.record)];
      for (const copy of copies) expect((copy as { payments: unknown[] } | null)?.payments.push(1)).toBe(1);
      expect((await store.find({ orderId: 'o' })).record).toEqual(newOrder('o'));
    });
  });

  describe(`a record that is due in the ${name} store`, () => {
    it('is claimed when its time has come on the store’s clock, by one, until the lease has expired', async () => {
      const { store, clock, claimDue, isDueAfter, write } = await open();
      await write('o', { dueAfterMs: 5000.5 });
      await write('never', { dueAfterMs: null });
      clock.advance(5000);
      expect(await claimDue()).toEqual([]);
      clock.advance(1);
      const claimed = { ...(await store.find({ orderId: 'o' })), claim: 1, isWoken: false };
      expect(await claimDue({ leaseMs: 999.5 })).toEqual([claimed]);
      await isDueAfter(1000, { claim: 2 });
    });

    it('is one of the longest overdue, up to the limit, and claimed by one of many', async () => {
      const { clock, claimIds, write, many } = await open();
      for (let index = 0; index < 30; index++)
        await write(`${index + 10}`, { dueAfterMs: 3000 - 100 * index });
      clock.advance(5000);
      expect(await claimIds({ limit: 2 })).toEqual(['38', '39']);
      const claims = await many(20, (store) => store.claimOrders({ limit: 3, leaseMs: 1000 }));
      const ids = [...claims.flat().map(orderIdOf), ...(await claimIds({ limit: 30 }))];
      expect([ids.length, new Set(ids).size]).toEqual([28, 28]);
    });

    it('is due at the time that its last write or reschedule has set', async () => {
      const { store, isDueAfter, claimDue, write } = await open();
      await write('o', { dueAfterMs: 0 });
      await claimDue();
      await write('o', { dueAfterMs: 2000 });
      const unchanged = { id: 'o', claim: 1, isServed: true };
      await store.reschedule({ ...unchanged, version: 1, dueAfterMs: 0 });
      expect(await claimDue()).toEqual([]);
      await store.reschedule({ ...unchanged, version: 2, dueAfterMs: 3000 });
      await isDueAfter(3000, { claim: 2 });
      await store.reschedule({ ...unchanged, version: 2, dueAfterMs: 0 });
      expect(await claimDue()).toEqual([]);
      await store.reschedule({ ...unchanged, version: 2, dueAfterMs: null, claim: 2 });
      await isDueAfter(dayMs);
    });
  });

  describe(`a record that was woken in the ${name} store`, () => {
    it('is claimed by the caller at once, and each claim has a number of its own', async () => {
      const { store, isDueAfter, claimDue, write } = await open();
      await write('o', { references: ['tc_1', 'tc_2'], dueAfterMs: 60_000 });
      expect(await store.claimOrders({ reference: 'tc_1', leaseMs: 999.5 })).toEqual([
        { claim: 1, isWoken: true, ...(await store.find({ orderId: 'o' })) },
      ]);
      expect(await claimDue()).toEqual([]);
      expect(await store.claimOrders({ reference: 'tc_2', leaseMs: 2000 })).toMatchObject([{ claim: 2 }]);
      await isDueAfter(2000, { claim: 3, isWoken: true });
    });

    it('is claimed before all that is merely due', async () => {
      const { store, claimDue, write } = await open();
      await write('due', { dueAfterMs: 0 });
      await write('o', { references: ['tc_1', 'tc_2'], dueAfterMs: 60_000 });
      for (const reference of ['tc_1', 'tc_2']) await store.claimOrders({ reference, ...atOnce });
      await write('o', { dueAfterMs: null });
      await store.reschedule({ id: 'o', version: 2, dueAfterMs: 5000, claim: 1, isServed: true });
      const woken = { ...(await store.find({ orderId: 'o' })), claim: 3, isWoken: true };
      expect(await claimDue({ limit: 1 })).toEqual([woken]);
      expect(await claimDue()).toMatchObject([{ record: { orderId: 'due' }, isWoken: false }]);
    });

    it.each(['write', 'reschedule'] as const)('is served by the %s of its last claim only', async (by) => {
      const { store, clock, write, claimWoken, claimDue, isDueAfter } = await open();
      await claimWoken();
      await store.claimOrders({ reference: 'tc_1', ...atOnce });
      const end = (claim: number, dueAfterMs: number | null) =>
        by === 'write'
          ? write('o', { claim, dueAfterMs })
          : store.reschedule({ id: 'o', version: 1, claim, dueAfterMs, isServed: true });
      await end(1, null);
      expect(await claimDue()).toMatchObject([{ claim: 3, isWoken: true }]);
      await end(2, 5000);
      clock.advance(1000);
      expect(await claimDue()).toMatchObject([{ claim: 4, isWoken: true }]);
      await end(4, 5000);
      await isDueAfter(5000, { claim: 5, isWoken: false });
      // An earlier one comes too late.
      await store.reschedule({ id: 'o', version: 1, claim: 4, dueAfterMs: 0, isServed: false });
      expect(await claimDue()).toEqual([]);
    });

    it('stays woken while the requested verification has not been made', async () => {
      const { store, clock, claimWoken, claimDue, isDueAfter } = await open();
      await claimWoken();
      const failed = { id: 'o', version: 1, isServed: false };
      await store.reschedule({ ...failed, claim: 1, dueAfterMs: 2000 });
      await isDueAfter(2000, { claim: 2, isWoken: true });
      await store.reschedule({ ...failed, claim: 2, dueAfterMs: null });
      clock.advance(1000);
      expect(await claimDue()).toMatchObject([{ isWoken: true }]);
    });

    it.each([true, false])(
      'stays due as an earlier write has scheduled it (served: %s)',
      async (isServed) => {
        const { store, clock, write, claimWoken, claimDue } = await open();
        await claimWoken();
        await write('o', { dueAfterMs: 2000 });
        await store.reschedule({ id: 'o', version: 1, claim: 1, dueAfterMs: dayMs, isServed });
        clock.advance(60_000);
        expect(await claimDue()).toMatchObject([{ isWoken: !isServed }]);
      },
    );

    it('is claimed once more, whichever of wake, write and claim is first', async () => {
      const { other, write, claimWoken, claimDue } = await open();
      await claimWoken();
      let claim = 1;
      for (let wakes = 0; wakes < 5; wakes++) {
        await Promise.all([write('o', { claim }), other.claimOrders({ reference: 'tc_1', ...atOnce })]);
        const [[during]] = await Promise.all([claimDue(), write('o', { claim })]);
        const [after] = await claimDue();
        const claimed = [during, after].flatMap((one) => (one?.isWoken ? one.claim : []));
        expect(claimed).toHaveLength(1);
        claim = Number(claimed[0]);
      }
    });
  });

  describe(`the ${name} store`, () => {
    it('counts events one by one up to a limit', async () => {
      const { write, readStatus } = await open();
      const outcomes = Array<'failed'>(mostCounted + 1).fill('failed');
      await write('o', { events: eventsOf('o', outcomes.slice(0, mostCounted - 1)) });
      const atMost = mostCounted - 1;
      expect(await readStatus()).toMatchObject({ pendingOutboxEvents: atMost });
      await write('p', { events: eventsOf('p', outcomes) });
      expect(await readStatus()).toMatchObject({ pendingOutboxEvents: mostCounted });
    });

    it('measures how long orders wait for money and confirmation, and how late verifications are', async () => {
      const { store, clock, write, readStatus } = await open();
      const measure = async () => {
        const status = await readStatus();
        expect(status).toMatchObject({ pendingOutboxEvents: 0, parkedEvents: 0, waiting: [] });
        const { openOrders, oldestUnpaidMs, oldestConfirmingMs, checkLagMs, oldestUnpaid } = status;
        return [openOrders, oldestUnpaidMs, oldestConfirmingMs, checkLagMs, oldestUnpaid?.orderId];
      };
      expect(await measure()).toEqual([0, null, null, 0, undefined]);
      await write('c', { awaits: 'money', dueAfterMs: 1000 });
      await store.write(orderWrite({ dueAfterMs: 500 }));
      clock.advance(3000);
      await write('b', { awaits: 'confirmation' });
      await write('a', { awaits: 'money' });
      await write('c', { awaits: 'money', dueAfterMs: 1000 });
      clock.advance(2000);
      expect(await measure()).toEqual([2, 5000, 2000, 4500, 'c']);
      await write('c', { awaits: 'confirmation' });
      await write('b');
      clock.advance(1000);
      expect(await measure()).toEqual([1, 3000, 1000, 5500, 'a']);
    });

    it('finds orders by id, reference and account number, the last changed first, with their events', async () => {
      const { store, other, clock, write, end } = await open();
      const events = eventsOf('a', ['paid']);
      await write('a', { references: ['tc_a'], accountNumbers: ['99', '98'], events });
      await end('a:0:paid', { state: 'parked', failure });
      clock.advance(1);
      await write('b', { references: ['tc_b'], accountNumbers: ['99'] });
      for (const [text, ids] of [
        ['a', 'a'],
        ['tc_b', 'b'],
        ['98', 'a'],
        ['99', 'ba'],
        ['9', ''],
      ] as const)
        expect((await other.findOrders(text)).map(orderIdOf).join('')).toBe(ids);
      const parked = [{ key: 'a:0:paid', token: 1, failure, isParked: true }];
      const stored = await store.find({ orderId: 'a' });
      expect(await other.findOrders('a')).toMatchObject([{ ...stored, events: parked }]);
      expect(await other.findOrders('b')).toMatchObject([{ events: [] }]);
    });

    it('lists orders that need a person, or have waited long for a confirmation, the longest first', async () => {
      const { clock, write, readStatus } = await open();
      const list = async () => {
        const { needingPerson } = await readStatus(10);
        return needingPerson.map(({ record, sinceMs }) => [record.orderId, sinceMs]);
      };
      await write('confirming', { awaits: 'confirmation' });
      clock.advance(1000);
      await write('a', { needsPerson: true });
      await write('b', { needsPerson: true });
      clock.advance(1000);
      await write('a', { needsPerson: true });
      await write('b');
      expect(await list()).toEqual([['a', 1000]]);
      clock.advance(lateConfirmationMs - 2000);
      const late = lateConfirmationMs;
      expect(await list()).toEqual([
        ['confirming', late],
        ['a', late - 1000],
      ]);
      expect((await readStatus(1)).needingPerson).toHaveLength(1);
      expect((await readStatus()).needingPerson).toEqual([]);
    });

    it('takes a small write, from many at once', async () => {
      const { store, many } = await open();
      await store.prepare();
      expect(await many(20, (one) => one.prepare())).toHaveLength(20);
    });
  });
}
