import { onTestFinished } from 'vitest';
import { createPostgresStore, type PostgresStore } from '../../../server-kit/stores/postgres.ts';
import { connectPostgres, postgresUrl, uniqueName } from '../services.ts';

/** An empty schema of this test alone, which is gone after it, and a pool whose tables are those of the schema. */
export async function createSchema() {
  const schema = uniqueName();
  const url = new URL(postgresUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  url.searchParams.set('application_name', schema);
  const connectionString = String(url);
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
