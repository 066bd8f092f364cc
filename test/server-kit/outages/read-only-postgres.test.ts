import { describe, it, onTestFinished } from 'vitest';
import { createPostgresStore } from '../../../server-kit/stores/postgres/store.ts';
import { connectPostgres, hasPostgres, postgresUrl, uniqueName } from '../kit/services.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { expectOutageSurvived } from './expect-outage-survived.ts';

/** A database of this test alone, which its server can make read-only, as a full disk or a failover does. */
async function createDatabase() {
  const name = uniqueName();
  const admin = connectPostgres(postgresUrl);
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = name;
  const store = createPostgresStore({ connectionString: url.href, now: clock.now });
  onTestFinished(async () => {
    await store.close();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  const setting = `ALTER DATABASE ${name} SET default_transaction_read_only`;
  const makeReadOnly = async (): Promise<void> => {
    await admin.query(`${setting} = on`);
    // The setting is for new connections.
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    // As long as a pool has ended connections, these are what fails.
    while (
      await store.find({ reference: '' }).then(
        () => false,
        () => true,
      )
    );
  };
  return { store, makeReadOnly, makeWritable: () => admin.query(`${setting} = off`) };
}

const clock = createTestClock();

describe.skipIf(!(await hasPostgres()))('a PostgreSQL that is read-only for a time', () => {
  it('makes the instance unready, loses nothing, and is used again at once, over the same pool', async () => {
    const { store, makeReadOnly, makeWritable } = await createDatabase();
    await expectOutageSurvived({ store, clock, begin: makeReadOnly, end: makeWritable });
  });
});
