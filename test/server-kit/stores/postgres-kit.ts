import { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import { createPostgresStore, type PostgresStore } from '../../../server-kit/stores/postgres.ts';

export const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Whether there is a PostgreSQL to test with. Says so when not. */
export async function isPostgresThere(): Promise<boolean> {
  const pool = new Pool({ connectionString: postgresUrl, connectionTimeoutMillis: 2000 });
  try {
    await pool.query('SELECT 1');
    return true;
  } catch (error) {
    console.log(`Skipped: no PostgreSQL at TEST_POSTGRES_URL or its default (${(error as Error).message}).`);
    return false;
  } finally {
    await pool.end();
  }
}

/** An empty schema of this test alone, which is gone after it, and a pool whose tables are those of the schema. */
export async function createSchema() {
  const schema = `checkout_test_${crypto.randomUUID().replaceAll('-', '')}`;
  const url = new URL(postgresUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  url.searchParams.set('application_name', schema);
  const connectionString = String(url);
  const pool = new Pool({ connectionString });
  await pool.query(`CREATE SCHEMA ${schema}`);
  onTestFinished(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  });
  const open = (options: { now?: () => number } = {}): PostgresStore => {
    const store = createPostgresStore({ connectionString: postgresUrl, schema, ...options });
    onTestFinished(() => store.close());
    return store;
  };
  return { schema, connectionString, pool, open };
}
