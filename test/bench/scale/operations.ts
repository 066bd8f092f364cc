import { createPostgresStore, type PostgresStore } from '../../../server-kit/stores/postgres/store.ts';
import { createTestClock, type TestClock } from '../../../server-kit/tools/testing/index.ts';
import type { ScaleDatabase } from './database.ts';
import { type Measured, measureOne, type Operation } from './operation.ts';
import { copy } from './seed.ts';
import { shopping } from './shopping.ts';
import type { Template } from './templates.ts';

export type Seeded = {
  templates: readonly Template[];
  /** The time at which nothing is due. */
  nowMs: number;
  orders: number;
};

/** Measures each operation on the seeded tables: first what is idle, and what leaves a trace last. */
export async function measureAll(database: ScaleDatabase, seeded: Seeded): Promise<Measured[]> {
  const clock = createTestClock(seeded.nowMs);
  const store = createPostgresStore({ pool: database.recorded, now: clock.now });
  // Its first statement reads the version of the tables.
  await store.prepare();
  const operations = [
    ...idle(store),
    ...shopping(store, clock),
    ...due(store, clock),
    ...outbox(store, database, seeded),
  ];
  const measured: Measured[] = [];
  for (const operation of operations) measured.push(await measureOne(database.recorder, operation));
  return measured;
}

const claim = { limit: 20, leaseMs: 60_000 };

const claimDue = async (store: PostgresStore): Promise<string> =>
  `${(await store.claimOrders(claim)).length} records`;

async function claimEvent(store: PostgresStore): Promise<string> {
  const event = await store.claimOutboxEvent({ leaseMs: 30_000 });
  return event === undefined ? 'no event' : '1 event';
}

const measure = async (store: PostgresStore): Promise<string> =>
  `${(await store.readStatus({ mostWaiting: 0 })).pendingOutboxEvents} events pending`;

const idle = (store: PostgresStore): Operation[] => [
  // Before, because a new connection also reads PostgreSQL's own catalogue.
  { name: 'claim of due records, idle', prepare: () => claimDue(store), run: () => claimDue(store) },
  { name: 'claim of an outbox event, idle', run: () => claimEvent(store) },
  { name: 'measure()', run: () => measure(store) },
];

const due = (store: PostgresStore, clock: TestClock): Operation[] => [
  {
    name: 'claim of due records, 20 of them',
    prepare: async () => clock.advance(60_000),
    run: () => claimDue(store),
  },
];

const waitingEvents = 10_000;

const outbox = (
  store: PostgresStore,
  { pool }: ScaleDatabase,
  { templates }: Pick<Seeded, 'templates'>,
): Operation[] => [
  {
    name: 'claim of an outbox event, 10,000 waiting',
    async prepare() {
      const waiting = templates.find(({ name }) => name === 'waiting');
      if (waiting !== undefined) await copy(pool, waiting, { count: waitingEvents, name: 'waiting' });
      await pool.query('ANALYZE');
    },
    run: () => claimEvent(store),
  },
  { name: 'measure(), 10,000 events waiting', run: () => measure(store) },
  {
    name: 'claim of an outbox event, idle, 10,000 to be retried',
    async prepare() {
      await pool.query('UPDATE transfer_checkout_outbox_queues SET due_at = due_at + 3600000');
      await pool.query('VACUUM transfer_checkout_outbox_queues');
    },
    run: () => claimEvent(store),
  },
];
