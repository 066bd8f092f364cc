import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { createPostgresBus } from '../../../../server-kit/drivers/postgres/bus.ts';
import { connectPostgres, hasPostgres, postgresUrl, uniqueName } from '../../kit/services.ts';
import { startInstance } from '../conformance/bus.conformance.ts';
import { describeConnectedBus } from '../conformance/connected-bus.conformance.ts';

describe.skipIf(!(await hasPostgres()))('a bus on PostgreSQL', () => {
  describeConnectedBus({
    name: 'PostgreSQL',
    url: postgresUrl,
    createBus: (url, connectionName, options) =>
      createPostgresBus({ pool: connectPostgres(url, connectionName), ...options }),
    async kill(connectionName) {
      const admin = connectPostgres(postgresUrl);
      const text = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1';
      expect((await admin.query(text, [connectionName])).rowCount).toBe(1);
    },
  });

  it('reports a reference that is too long for a NOTIFY, and keeps working', async () => {
    const { bus, heard, errors } = await startInstance(
      (options) => createPostgresBus({ pool: connectPostgres(postgresUrl), ...options }),
      { channel: uniqueName() },
    );
    await bus.publish('x'.repeat(8000));
    await bus.publish('tc_1');
    await expect.poll(() => heard).toEqual(['tc_1']);
    expect(errors).toMatchObject([{ cause: { message: 'payload string too long' } }]);
  });

  it('does not return its connection to the pool, so that no other user of it listens', async () => {
    const pool = connectPostgres(postgresUrl);
    const { bus } = await startInstance((options) => createPostgresBus({ pool, ...options }));
    expect(pool.totalCount).toBe(1);
    await bus.close();
    expect(pool.totalCount).toBe(0);
  });
});

describe('createPostgresBus', () => {
  it.each(['', 'Shop', 'a-b', 'a"b', 'x'.repeat(64)])('refuses the channel "%s"', (channel) => {
    expect(() => createPostgresBus({ pool: new Pool(), channel })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining('channel:') }),
    );
  });
});
