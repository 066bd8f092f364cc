import { Pool } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createPostgresStore, type PostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { connectPostgres, postgresUrl, uniqueName } from '../../kit/services.ts';
import type { MakeStore } from '../conformance/store-kit.ts';

const urlOfSchema = (schema: string): string => {
  const url = new URL(postgresUrl);
  // A test need not survive a loss of power.
  url.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=off`);
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
  const open = ({ now }: { now?: () => number } = {}): PostgresStore => {
    const store = createPostgresStore({ connectionString: postgresUrl, schema, now });
    onTestFinished(() => store.close());
    return store;
  };
  return { schema, connectionString, pool, open };
}

const tables = 'records payment_references account_numbers outbox_events outbox_queues outcome_counts probe';

/** A schema that is made once for all tests of a file. `clear` empties its tables. */
export function shareSchema() {
  const schema = uniqueName();
  const connectionString = urlOfSchema(schema);
  const pool = new Pool({ connectionString });
  beforeAll(async () => {
    await pool.query(`CREATE SCHEMA ${schema}`);
    await createPostgresStore({ pool }).prepare();
  });
  afterAll(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  });
  const clear = async (): Promise<void> => {
    await pool.query(
      tables
        .split(' ')
        .map((name) => `DELETE FROM transfer_checkout_${name}`)
        .join(';'),
    );
  };
  return { connectionString, pool, clear };
}

/** Stores in one schema, whose tables are empty for each. */
export function shareStores(): MakeStore {
  const { connectionString, pool, clear } = shareSchema();
  const second = new Pool({ connectionString });
  afterAll(() => second.end());
  return async ({ now }) => {
    await clear();
    const pools = [pool, second];
    return { open: () => createPostgresStore({ pool: pools.shift() ?? pool, now }) };
  };
}
