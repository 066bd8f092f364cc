import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool, type PoolClient } from 'pg';
import type { Store } from '../../../../server-kit/engine/store.ts';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { createSqliteStore } from '../../../../server-kit/stores/sqlite/store.ts';
import type { LedgerTransaction } from '../shop/handlers.ts';
import type { VirtualClock } from '../world/clock.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';
import { wrapStore } from './store-port.ts';

/** The store that all processes of a wave share. */
export type SharedStore = {
  /** The store without faults, for the measurements at the end. */
  store: Store;
  open: (process: SimulatedProcess) => Store;
  /** The keys that the merchant's transactions have committed; undefined if they are not kept. */
  committed: () => Promise<readonly string[] | undefined>;
  close: () => Promise<void>;
};

/** Creates a database for this wave. `close` removes it. The virtual clock is stopped while it works. */
export const openDatabase = (world: World, kind: 'sqlite' | 'postgres'): Promise<SharedStore> =>
  kind === 'sqlite' ? openSqlite(world) : openPostgres(world);

async function openSqlite({ clock, storeNow }: World): Promise<SharedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-simulation-'));
  const store = createSqliteStore({ url: `file:${join(folder, 'shop.db')}`, now: storeNow });
  await store.prepare();
  const timeless = withClockStopped(clock, store);
  return {
    store,
    open: () => timeless,
    committed: async () => undefined,
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openPostgres({ clock, storeNow, settings }: World): Promise<SharedStore> {
  const connectionString = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const schema = `simulation_${process.pid}_${settings.seed}_${settings.wave}`;
  // Each instance runs a few handlers, and a stalled one keeps its connection.
  const pool = new Pool({ connectionString, max: 4 * settings.instances + 8 });
  pool.on('error', () => {});
  const ledger = `${schema}.ledger`;
  await pool.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${ledger} (key text)`);
  const store = createPostgresStore({ pool, schema, now: storeNow });
  await store.prepare();
  return {
    store,
    open: (process) => ({
      ...withClockStopped(clock, store),
      transact: (run, work) => transactUntilDeath(clock, process, { store, ledger }, run, work),
    }),
    async committed() {
      const { rows } = await pool.query<{ key: string }>(`SELECT key FROM ${ledger}`);
      return rows.map(({ key }) => key);
    },
    async close() {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}

type Transact = ReturnType<typeof createPostgresStore>['transact'];

/** Resumes the clock while the handler runs. If the process is killed, the transaction rolls back, as if its connection were lost. */
async function transactUntilDeath(
  clock: VirtualClock,
  process: SimulatedProcess,
  { store, ledger }: { store: { transact: Transact }; ledger: string },
  run: Parameters<Transact>[0],
  work: (transaction: unknown) => Promise<void>,
): ReturnType<Transact> {
  const records: (() => void)[] = [];
  let resume = clock.stop();
  const inTransaction = async (client: PoolClient): Promise<void> => {
    const keys: string[] = [];
    const transaction: LedgerTransaction = {
      add(key, record) {
        keys.push(key);
        records.push(record);
      },
    };
    resume();
    try {
      const died = process.death.then(() => Promise.reject(new Error('The process was killed.')));
      await Promise.race([work(transaction), died]);
    } finally {
      resume = clock.stop();
    }
    for (const key of keys) await client.query(`INSERT INTO ${ledger} VALUES ($1)`, [key]);
  };
  try {
    const ended = await store.transact(run, inTransaction);
    if (ended !== undefined) for (const record of records) record();
    return ended;
  } finally {
    resume();
  }
}

/** Returns a store that stops the clock during each call. */
function withClockStopped(clock: VirtualClock, store: Store): Store {
  return wrapStore(store, (_name, operation) => async (...args) => {
    const resume = clock.stop();
    try {
      return await operation(...args);
    } finally {
      resume();
    }
  });
}
