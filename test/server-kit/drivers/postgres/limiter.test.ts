import { Client, type Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresLimiter } from '../../../../server-kit/drivers/postgres/limiter.ts';
import { connectPostgres, hasPostgres, postgresUrl, uniqueName } from '../../kit/services.ts';
import { createTcpProxy } from '../../kit/tcp-proxy.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { takeTimes } from '../conformance/limiter.conformance.ts';
import { describeSharedLimiter } from '../conformance/shared-limiter.conformance.ts';

const schema = uniqueName();
const role = `${schema}_role`;

/** Runs statements as the superuser. */
async function administer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Creates a pool whose tables are in the schema of these tests. */
function connect(url: string, settings = ''): Pool {
  const withSchema = new URL(url);
  withSchema.searchParams.set('options', `-c search_path=${schema} ${settings}`);
  return connectPostgres(withSchema.href);
}

describe.skipIf(!(await hasPostgres()))('a limiter on PostgreSQL', () => {
  beforeAll(() => administer(`CREATE SCHEMA ${schema}`, `CREATE ROLE ${role}`));
  afterAll(() => administer(`DROP SCHEMA ${schema} CASCADE`, `DROP ROLE ${role}`));

  const options = () => ({ name: uniqueName(), limit: 1, perSeconds: 60, wait: createTestClock().wait });

  describeSharedLimiter({
    name: 'PostgreSQL',
    url: postgresUrl,
    createLimiter: async (url, more) => createPostgresLimiter({ pool: connect(url), ...more }),
  });

  it('creates its table once when many instances start together', async () => {
    await administer(`DROP TABLE IF EXISTS ${schema}.transfer_checkout_limits`);
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const limit = options();
    const limiters = Array.from({ length: 5 }, () =>
      createPostgresLimiter({ pool: connect(postgresUrl), ...limit, onError }),
    );
    const verdicts = await Promise.all(limiters.map((limiter) => limiter.take('a')));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('has a table that PostgreSQL cleans up early, because each request changes a row', async () => {
    const pool = connect(postgresUrl);
    await createPostgresLimiter({ pool, ...options() }).take('a');
    const query = "SELECT reloptions FROM pg_class WHERE oid = 'transfer_checkout_limits'::regclass";
    const { rows } = await pool.query(query);
    expect(rows[0].reloptions).toContain('autovacuum_vacuum_scale_factor=0.01');
  });

  it('needs no privilege to create an existing table', async () => {
    await createPostgresLimiter({ pool: connect(postgresUrl), ...options() }).take('a');
    await administer(
      `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.transfer_checkout_limits TO ${role}`,
    );
    const errors: unknown[] = [];
    const limiter = createPostgresLimiter({
      pool: connect(postgresUrl, `-c role=${role}`),
      ...options(),
      onError: (error) => void errors.push(error),
    });
    expect(await takeTimes(limiter, 'a', 2)).toEqual([true, false]);
    expect(errors).toEqual([]);
  });

  it('counts for all instances as soon as the service responds, even if its first query failed', async () => {
    const proxy = await createTcpProxy(postgresUrl);
    const clock = createTestClock();
    const { now, wait } = clock;
    const limit = options();
    const limiter = createPostgresLimiter({
      pool: connect(proxy.url),
      ...limit,
      now,
      wait,
      onError: () => {},
    });
    proxy.freeze();
    const verdict = limiter.take('a');
    await clock.untilWaiting(1000, 2);
    clock.advance(1000);
    await verdict;
    proxy.restore();
    clock.advance(10_000);
    expect(await limiter.take('b')).toEqual({ allowed: true });
    const other = createPostgresLimiter({ pool: connect(postgresUrl), ...limit });
    expect(await takeTimes(other, 'b', 1)).toEqual([false]);
  });

  it('stores no key in plain text', async () => {
    const limit = options();
    await createPostgresLimiter({ pool: connect(postgresUrl), ...limit }).take('198.51.100.1');
    const { rows } = await connect(postgresUrl).query('SELECT key FROM transfer_checkout_limits');
    const keys = rows.map(({ key }) => key);
    expect(keys).toContainEqual(expect.stringContaining(limit.name));
    expect(keys.join()).not.toContain('198.51.100.1');
  });
});
