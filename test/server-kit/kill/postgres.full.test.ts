import { describe } from 'vitest';
import { hasPostgres } from '../kit/services.ts';
import { createSchema } from '../stores/postgres/postgres-kit.ts';
import { describeKills } from './kill.conformance.ts';

describe.skipIf(!(await hasPostgres()))('two servers on PostgreSQL', () => {
  describeKills({
    makeDatabase: async () => {
      const { connectionString, pool } = await createSchema();
      // Without a unique key, so that a second row is found.
      await pool.query('CREATE TABLE ledger (id serial, key text NOT NULL)');
      return {
        database: { name: 'PostgreSQL', connectionString },
        readLedger: async () => {
          const { rows } = await pool.query<{ key: string }>('SELECT key FROM ledger ORDER BY id');
          return rows.map(({ key }) => key);
        },
      };
    },
  });
});
