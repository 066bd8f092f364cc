import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutboxOutcome } from '../../../../server-kit/checkout/order/event.ts';
import { createPostgresStore, type PostgresStore } from '../../../../server-kit/drivers/postgres/store.ts';
import { hasPostgres } from '../../kit/services.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { eventsOf, helpersFor, orderWrite } from '../conformance/store-kit.ts';
import { shareSchema } from './postgres-kit.ts';
import { createSteps, type Steps } from './stepped-pool.ts';

const failure = 'no';
const leaseMs = 1000;
const first = 'order-1:0:amountMismatch';

/** What one connection does. `run` is the run of the `paid` event, if it runs. */
type Act = (store: PostgresStore, run: { key: string; token: number }) => Promise<unknown>;

/** How the run of the `paid` event ends. */
const endings: Record<string, Act> = {
  finish: (store, run) => store.finishOutboxEvent(run),
  'finish in a transaction': (store, run) => store.transact(run, async () => {}),
  retry: (store, run) => store.releaseOutboxEvent(run, { state: 'waiting', afterMs: 500, failure }),
  withdraw: (store, run) => store.releaseOutboxEvent(run, { state: 'withdrawn' }),
  'dead letter that is retried': async (store, run) => {
    await store.releaseOutboxEvent(run, { state: 'dead', failure });
    await store.retryDeadLetter(run.key);
  },
};
const write: Act = (store) =>
  store.orders.write(orderWrite({ version: 1, events: eventsOf('order-1', ['unexpectedMoney'], 2) }));
const claim: Act = (store) => store.claimOutboxEvent({ leaseMs });
const claimAndFinish: Act = async (store) => {
  const event = await store.claimOutboxEvent({ leaseMs });
  if (event !== undefined) await store.finishOutboxEvent(event);
};
const retryFirst: Act = (store) => store.retryDeadLetter(first);

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
      await stepped.migrate();
      stores.push(stepped);
    }
  });
  afterAll(() => steps.close());

  const readEvents = async () => {
    const sql = 'SELECT position, state FROM transfer_checkout_outbox_events ORDER BY position';
    return (await schema.pool.query<{ position: number; state: string }>(sql)).rows;
  };

  /** Checks that no two events run at once, and that none has started that had to wait for an earlier one. */
  const createWatch = () => {
    let known: number | undefined;
    return async (): Promise<void> => {
      const events = await readEvents();
      const running = events.filter(({ state }) => state === 'running').map(({ position }) => position);
      expect(running.length).toBeLessThan(2);
      const [started] = running;
      if (started !== undefined && started !== known) {
        const before = events.slice(0, started).map(({ state }) => state);
        // The first may be dead, but not the second, which is `paid`.
        expect(before).toEqual(
          before.map((_, index) => expect.stringMatching(index === 1 ? /done|withdrawn/ : /done|dead/)),
        );
      }
      known = started;
    };
  };

  /** Runs the acts, each on a connection of its own, in every interleaving. All events must be done in the end. */
  const explore = (acts: readonly Act[], { isRunning = true, passMs = 0 } = {}): Promise<number> => {
    let run = { key: '', token: 0 };
    let watch = createWatch();
    return steps.explore({
      async prepare() {
        await schema.clear();
        const outcomes: OutboxOutcome[] = ['amountMismatch', 'paid', 'unexpectedMoney'];
        const events = eventsOf('order-1', outcomes.slice(0, isRunning ? 2 : 3));
        await store.orders.write(orderWrite({ events }));
        await helpers.kill(first);
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
        await store.retryDeadLetter(first);
        await helpers.runAll();
        const states = (await readEvents()).map(({ state }) => state);
        expect(states).toEqual(states.map(() => expect.stringMatching(/done|withdrawn/)));
      },
    });
  };

  it.each(Object.entries(endings))(
    'run in order, one at a time, and to the end, with: %s',
    async (_name, end) => {
      expect(await explore([end, write, claim])).toBeGreaterThan(50);
      expect(await explore([end, retryFirst, claim])).toBeGreaterThan(20);
      expect(await explore([end, claimAndFinish], { passMs: leaseMs })).toBeGreaterThan(10);
    },
  );

  it('run in order, one at a time, and to the end, when a dead letter is retried during two claims', async () => {
    expect(await explore([retryFirst, claim, claimAndFinish], { isRunning: false })).toBeGreaterThan(50);
    expect(await explore([retryFirst, claim, claim], { isRunning: false })).toBeGreaterThan(20);
  });
});
