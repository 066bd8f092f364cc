import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OrderOutcome } from '../../../../server-kit/engine/order/event.ts';
import { deliverOutboxEvent } from '../../../../server-kit/engine/outbox/deliver.ts';
import type { OutboxEventRun } from '../../../../server-kit/engine/store.ts';
import { createPostgresStore, type PostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { follow, orderOf, shown } from '../../engine/order/orders.ts';
import { hasPostgres } from '../../kit/services.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { eventsOf, helpersFor, orderWrite } from '../conformance/store-kit.ts';
import { shareSchema } from './postgres-kit.ts';
import { createSteps, type Steps } from './stepped-pool.ts';

const failure = 'no';
const done = { state: 'done' } as const;
const leaseMs = 1000;
const first = 'order-1:0:amountMismatch';

/** What one connection does. `run` is the run of the `paid` event, if it runs. */
type Act = (store: PostgresStore, run: OutboxEventRun) => Promise<unknown>;

const resume = (store: PostgresStore) =>
  store.resumeOutboxEvents({ outcomes: ['amountMismatch', 'paid'], withinMs: 0, isStart: false });

/** How the run of the `paid` event ends. */
const endings: Record<string, Act> = {
  finish: (store, run) => store.updateOutboxEvent(run, done),
  'finish in a transaction': (store, run) => store.transact(run, async () => {}),
  retry: (store, run) => store.updateOutboxEvent(run, { state: 'waiting', afterMs: 500, failure }),
  withdraw: (store, run) => store.updateOutboxEvent(run, { state: 'withdrawn' }),
  'park, and resume': async (store, run) => {
    await store.updateOutboxEvent(run, { state: 'parked' });
    await resume(store);
  },
};
const write: Act = (store) =>
  store.write(orderWrite({ version: 1, events: eventsOf('order-1', ['unexpectedMoney'], 2) }));
const claim: Act = (store) => store.claimOutboxEvent({ leaseMs });
const claimAndFinish: Act = async (store) => {
  const event = await store.claimOutboxEvent({ leaseMs });
  if (event !== undefined) await store.updateOutboxEvent(event, done);
};

describe.skipIf(!(await hasPostgres()))('the events of an order in PostgreSQL', () => {
  const schema = shareSchema();
  const clock = createTestClock();
  /** Without steps, to prepare and to check. */
  const store = createPostgresStore({ pool: schema.pool, now: clock.now });
  const helpers = helpersFor(store);
  let steps: Steps;
  const stores: PostgresStore[] = [];

  beforeAll(async () => {
    steps = await createSteps(schema.connectionString);
    while (stores.length < 4) {
      const stepped = createPostgresStore({ pool: await steps.createPool(), now: clock.now });
      await stepped.prepare();
      stores.push(stepped);
    }
  });
  afterAll(() => steps.close());

  /** Those that are not done. */
  const readEvents = async () => {
    const sql = `SELECT e.position, e.state = 'parked' AS "isParked", e.key = q.current_key AND q.due_at IS NOT NULL AS "isRunning"
      FROM transfer_checkout_outbox_events AS e JOIN transfer_checkout_outbox_queues AS q USING (record_id) ORDER BY position`;
    return (await schema.pool.query<{ position: number; isParked: boolean; isRunning: boolean }>(sql)).rows;
  };

  /** Checks that none has started while another ran, or that had to wait for an earlier one. */
  const createWatch = () => {
    let known: number | undefined;
    return async (): Promise<void> => {
      const events = await readEvents();
      const started = events.find(({ isRunning }) => isRunning)?.position;
      if (started !== undefined && started !== known) {
        expect(events.filter(({ position, isParked }) => position === known && !isParked)).toEqual([]);
        // A parked one holds up none.
        const before = events.filter(({ position }) => position < started);
        expect(before.filter(({ isParked }) => !isParked)).toEqual([]);
      }
      known = started;
    };
  };

  /** Runs the acts, each on a connection of its own, in every interleaving. All events must be done in the end. */
  const explore = (acts: readonly Act[], { isRunning = true, passMs = 0 } = {}): Promise<number> => {
    let run: OutboxEventRun = { recordId: '', key: '', outcome: 'paid', token: 0, open: 0 };
    let watch = createWatch();
    return steps.explore({
      async prepare() {
        await schema.clear();
        const outcomes: OrderOutcome[] = ['amountMismatch', 'paid', 'unexpectedMoney'];
        const events = eventsOf('order-1', outcomes.slice(0, isRunning ? 2 : 3));
        await store.write(orderWrite({ events }));
        await store.updateOutboxEvent(await helpers.claim(first), { state: 'parked' });
        if (isRunning) run = await helpers.claim('order-1:1:paid');
        clock.advance(passMs);
        watch = createWatch();
        await watch();
      },
      start: () => Promise.all(acts.map((act, index) => act(stores[index] as PostgresStore, run))),
      afterStep: () => watch(),
      async check() {
        // Nothing waits longer than the lease of a claim that is not finished.
        clock.advance(leaseMs);
        await helpers.runAll();
        await resume(store);
        await helpers.runAll();
        expect(await readEvents()).toEqual([]);
        expect(await store.readStatus({ mostWaiting: 0 })).toMatchObject({ pendingOutboxEvents: 0 });
      },
    });
  };

  it.each(Object.entries(endings))(
    'run in order, one at a time, and to the end, with: %s',
    async (_name, end) => {
      expect(await explore([end, write, claim])).toBeGreaterThan(50);
      expect(await explore([end, resume, claim])).toBeGreaterThan(20);
      expect(await explore([end, claimAndFinish], { passMs: leaseMs })).toBeGreaterThan(10);
    },
  );

  it('run in order, one at a time, and to the end, when a parked one is resumed during two claims', async () => {
    expect(await explore([resume, claim, claimAndFinish], { isRunning: false })).toBeGreaterThan(50);
    expect(await explore([resume, claim, claim], { isRunning: false })).toBeGreaterThan(20);
    expect(await explore([resume, resume, claim], { isRunning: false })).toBeGreaterThan(20);
  });

  it('do not call the handler of an `expired` that is claimed after its order was paid', async () => {
    const gone = follow(orderOf(shown()), 'a expired');
    const paid = follow(gone.order, 'a succeeded 1000');
    const ended = { called: 0, withdrawn: 0 };
    let isPaid = false;
    let isOpen = true;
    const pay = (on: PostgresStore) =>
      on.write(orderWrite({ version: 1, record: paid.order, events: paid.events }));
    /** Delivers the first event, unless the writer has locked it. */
    const deliver = async (on: PostgresStore): Promise<void> => {
      const event = await on.claimOutboxEvent({ leaseMs });
      if (event === undefined) return;
      isOpen = false;
      const [isOvertaken, called] = [isPaid, vi.fn()];
      const options = { store: on, handlers: { onExpired: called }, wait: clock.wait, leaseMs };
      const run = { place: Promise.resolve(), ending: new AbortController(), onLong: () => {} };
      await deliverOutboxEvent({ ...options, random: () => 0, log: () => {} }, event, run);
      if (isOvertaken) expect(called).not.toHaveBeenCalled();
      ended[called.mock.calls.length > 0 ? 'called' : 'withdrawn']++;
    };
    const count = await steps.explore({
      async prepare() {
        await schema.clear();
        await store.write(orderWrite({ record: gone.order, events: gone.events }));
        isPaid = false;
        isOpen = true;
      },
      start: () => Promise.all([pay(stores[0] as PostgresStore), deliver(stores[1] as PostgresStore)]),
      async afterStep() {
        isPaid = (await store.find({ orderId: 'order-1' })).version === 2;
      },
      async check() {
        isPaid = true;
        if (isOpen) await deliver(store);
        expect(await helpers.runAll()).toEqual(['order-1:paid']);
        expect((await store.readStatus({ mostWaiting: 9 })).waiting).toEqual([]);
      },
    });
    expect(count).toBeGreaterThan(5);
    expect(Math.min(ended.called, ended.withdrawn)).toBeGreaterThan(0);
  });
});
