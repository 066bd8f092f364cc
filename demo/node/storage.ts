import type { Pool } from 'pg';
import { createMemoryStore, type Store } from 'transfer-checkout/server-kit';
import type { Query, ShopRecords } from '../merchant/shop-records.ts';
import type { DatabaseSettings } from './settings.ts';
import { createMemoryRecords, openShopRecords } from './shop-records.ts';

/** The storage of the shop and its checkout. */
export type Storage = {
  store: Store;
  records: ShopRecords;
  /** Runs statements in the transaction that a handler received, if there is one. */
  queryIn: (transaction: unknown) => Query | undefined;
  /** For people, without passwords. */
  description: string;
  close: () => Promise<void>;
};

/**
 * Opens the configured storage and creates its tables. Loads only the drivers it needs.
 *
 * @throws {Error} if the database cannot be used, naming its variable
 */
export async function openStorage(database: DatabaseSettings): Promise<Storage> {
  try {
    return await openDatabase(database);
  } catch (cause) {
    const message = `The database of DATABASE_URL cannot be used: ${reasonOf(cause)}. Start it, or correct DATABASE_URL.`;
    throw new Error(message, { cause });
  }
}

/** Some connection errors have their reason only in a code or in nested errors. */
function reasonOf(error: unknown): string {
  const { message, code, errors = [] } = error as Error & { code?: string; errors?: Error[] };
  return (message || errors[0]?.message || code || String(error)).replace(/\.$/, '');
}

async function openDatabase(database: DatabaseSettings): Promise<Storage> {
  switch (database.kind) {
    case 'memory':
      return openMemory();
    case 'sqlite':
      return openSqlite(database.url);
    case 'postgres':
      return openPostgres(database.connectionString);
  }
}

function openMemory(): Storage {
  const store = createMemoryStore();
  return {
    store,
    records: createMemoryRecords(),
    queryIn: () => undefined,
    description: 'in memory; DATABASE_URL=file:shop.db keeps them',
    close: async () => {},
  };
}

async function openSqlite(url: string): Promise<Storage> {
  const { createClient } = await import('@libsql/client/sqlite3');
  const { createSqliteStore } = await import('transfer-checkout/server-kit/stores/sqlite');
  const store = createSqliteStore({ url });
  await store.prepare();
  // A separate file, because a write to the store's file during its open transaction would block the thread that has to end
  // it.
  const client = createClient({ url: `${url}.orders`, timeout: 5000 });
  const query: Query = async (sql, values = []) =>
    (await client.execute({ sql: sql.replace(/\$(\d)/g, '?$1'), args: [...values] })).rows;
  return {
    store,
    records: await openShopRecords(query),
    queryIn: () => undefined,
    description: `SQLite, ${url} and ${url}.orders`,
    async close() {
      client.close();
      await store.close();
    },
  };
}

async function openPostgres(connectionString: string): Promise<Storage> {
  const { Pool } = await import('pg');
  const { createPostgresStore } = await import('transfer-checkout/server-kit/stores/postgres');
  const pool = new Pool({ connectionString, connectionTimeoutMillis: 10_000 });
  // An idle connection was lost; the pool opens another when needed.
  pool.on('error', () => {});
  const store = createPostgresStore({ pool });
  await store.prepare();
  return {
    store,
    records: await openShopRecords(queryOn(pool)),
    description: 'PostgreSQL',
    queryIn: (transaction) => (transaction === undefined ? undefined : queryOn(transaction as Pool)),
    async close() {
      await store.close();
      await pool.end();
    },
  };
}

const queryOn =
  (target: Pick<Pool, 'query'>): Query =>
  async (sql, values = []) =>
    (await target.query(sql, [...values])).rows;
