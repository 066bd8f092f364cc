import { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import type { ShopDatabase } from '../kill/shop-process.ts';
import { uniqueName } from '../kit/services.ts';
import { createTcpProxy } from '../kit/tcp-proxy.ts';
import type { PrivatePostgres } from './private-postgres.ts';

/** A shop's database with its ledger, reached through a proxy. The test reads the ledger past it. */
export async function openProxiedDatabase(postgres: PrivatePostgres) {
  const schema = uniqueName();
  const toPostgres = await createTcpProxy(postgres.url);
  const pool = new Pool({ connectionString: postgres.url, options: `-c search_path=${schema}` });
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  await pool.query(`CREATE SCHEMA ${schema}`);
  // Without a unique key, so that a second row is found.
  await pool.query('CREATE TABLE ledger (id serial, key text NOT NULL)');
  const url = new URL(toPostgres.url);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const database: ShopDatabase = { name: 'PostgreSQL', connectionString: url.href };
  const readLedger = async (): Promise<string[]> =>
    (await pool.query<{ key: string }>('SELECT key FROM ledger ORDER BY id')).rows.map(({ key }) => key);
  return { toPostgres, database, readLedger };
}
