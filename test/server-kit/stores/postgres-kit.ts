import { Pool } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createPostgresStore, type PostgresStore } from '../../../server-kit/stores/postgres.ts';
import { connectPostgres, postgresUrl, uniqueName } from '../kit/services.ts';
import type { MakeStore } from './store-kit.ts';

const urlOfSchema = (schema: string): string => {
  const url = new URL(postgresUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  url.searchParams.set('application_name', schema);
  return url.href;
};

/** An empty schema of this test alone, which is gone after it, and a pool whose tables are those of the schema. */
export async function createSchema() {
  const schema = uniqueName();
  const connectionString = urlOfSchema(schema);
  const pool = connectPostgres(connectionString);
  await pool.query(`CREATE SCHEMA ${schema}`);
  onTestFinished(() => pool.query(`DROP SCHEMA ${schema} CASCADE`).then(() => {}));
  const open = (options: { now?: () => number } = {}): PostgresStore => {
    const store = createPostgresStore({ connectionString: postgresUrl, schema, ...options });
    onTestFinished(() => store.close());
    return store;
  };
  return { schema, connectionString, pool, open };
}

/** Stores in one schema, which is made once for all tests of a file, and whose tables are empty for each. */
export function shareSchema(): MakeStore {
  const schema = uniqueName();
  const [first, second] = [createPool(schema), createPool(schema)];
  beforeAll(async () => {
    await first.query(`CREATE SCHEMA ${schema}`);
    await createPostgresStore({ pool: first }).migrate();
  });
  afterAll(async () => {
    await first.query(`DROP SCHEMA ${schema} CASCADE`);
    await Promise.all([first.end(), second.end()]);
  });
  return async ({ now }) => {
    const tables = ['payments', 'effects', 'budget'].map((name) => `DELETE FROM transfer_checkout_${name}`);
    await first.query(tables.join(';'));
    const pools = [first, second];
    return { open: () => createPostgresStore({ pool: pools.shift() ?? first, now }) };
  };
}

const createPool = (schema: string): Pool => new Pool({ connectionString: urlOfSchema(schema) });
