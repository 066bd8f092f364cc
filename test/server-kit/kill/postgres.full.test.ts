import { describe } from 'vitest';
import { createSchema } from '../drivers/postgres/postgres-kit.ts';
import { hasPostgres, hasRedis, redisUrl } from '../kit/services.ts';
import { describeKills } from './kill.conformance.ts';

const hasBoth = (await hasPostgres()) && (await hasRedis());

describe.skipIf(!hasBoth)('two servers on PostgreSQL and Redis', () => {
  describeKills({
    makeDatabase: async () => {
      const { schema, connectionString, pool } = await createSchema();
      // Without a unique key, so that a second row is found.
      await pool.query('CREATE TABLE ledger (id serial, key text NOT NULL)');
      return {
        database: { name: 'PostgreSQL', connectionString, redisUrl, channel: schema },
        readLedger: async () => {
          const { rows } = await pool.query<{ key: string }>('SELECT key FROM ledger ORDER BY id');
          return rows.map(({ key }) => key);
        },
      };
    },
  });
});
