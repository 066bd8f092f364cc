import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool, type PoolClient } from 'pg';
import { createPostgresStore } from '../../../../server-kit/stores/postgres.ts';
import { createSqliteStore } from '../../../../server-kit/stores/sqlite.ts';
import type { Store } from '../../../../server-kit/stores/store.ts';
import type { LedgerTransaction } from '../shop/handlers.ts';
import type { VirtualClock } from '../world/clock.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

/** What the processes of a wave share. */
export type SharedStore = {
  /** The store itself, for what is measured at the end. */
  store: Store;
  open: (process: SimulatedProcess) => Store;
  /** The keys of what the merchant has committed in transactions; `undefined` where nothing keeps them. */
  committed: () => Promise<readonly string[] | undefined>;
  close: () => Promise<void>;
};

/** A database of this wave alone, which is gone after it. The virtual clock stands still while it works. */
export const openDatabase = (world: World, kind: 'sqlite' | 'postgres'): Promise<SharedStore> =>
  kind === 'sqlite' ? openSqlite(world) : openPostgres(world);

async function openSqlite({ clock, storeNow }: World): Promise<SharedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-simulation-'));
  const store = createSqliteStore({ url: `file:${join(folder, 'shop.db')}`, now: storeNow });
  await store.migrate();
  const timeless = stopClock(clock, store);
  return {
    ...{ store, open: () => timeless, committed: async () => undefined },
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openPostgres({ clock, storeNow, settings }: World): Promise<SharedStore> {
  const connectionString = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const schema = `simulation_${process.pid}_${settings.seed}_${settings.wave}`;
  // A handler that stalls holds a connection; each instance runs a few.
  const pool = new Pool({ connectionString, max: 4 * settings.instances + 8 });
  pool.on('error', () => {});
  const deeds = `${schema}.deeds`;
  await pool.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${deeds} (key text)`);
  const store = createPostgresStore({ pool, schema, now: storeNow });
  await store.migrate();
  return {
    store,
    open: (process) => ({
      ...stopClock(clock, store),
      transact: (run, work) => transactUntilDeath(clock, process, { store, deeds }, run, work),
    }),
    async committed() {
      const { rows } = await pool.query<{ key: string }>(`SELECT key FROM ${deeds}`);
      return rows.map(({ key }) => key);
    },
    async close() {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}

type Transact = ReturnType<typeof createPostgresStore>['transact'];

/** The clock goes on while the handler runs. With the process its connection ends, and so does the transaction. */
async function transactUntilDeath(
  clock: VirtualClock,
  process: SimulatedProcess,
  { store, deeds }: { store: { transact: Transact }; deeds: string },
  run: Parameters<Transact>[0],
  work: (transaction: unknown) => Promise<void>,
): Promise<boolean> {
  const done: (() => void)[] = [];
  let goOn = clock.stop();
  const inTransaction = async (client: PoolClient): Promise<void> => {
    const keys: string[] = [];
    const transaction: LedgerTransaction = {
      add(key, deed) {
        keys.push(key);
        done.push(deed);
      },
    };
    goOn();
    try {
      const died = process.death.then(() => Promise.reject(new Error('The process has died.')));
      await Promise.race([work(transaction), died]);
    } finally {
      goOn = clock.stop();
    }
    for (const key of keys) await client.query(`INSERT INTO ${deeds} VALUES ($1)`, [key]);
  };
  try {
    const isDone = await store.transact(run, inTransaction);
    if (isDone) for (const deed of done) deed();
    return isDone;
  } finally {
    goOn();
  }
}

/** The same store, for whose calls the clock stands still. */
function stopClock(clock: VirtualClock, store: Store): Store {
  const timeless = { ...store };
  for (const [name, method] of Object.entries(store)) {
    if (typeof method !== 'function') continue;
    const call = async (...args: unknown[]): Promise<unknown> => {
      const goOn = clock.stop();
      try {
        return await (method as (...args: unknown[]) => Promise<unknown>)(...args);
      } finally {
        goOn();
      }
    };
    Object.assign(timeless, { [name]: call });
  }
  return timeless;
}
