import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
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

describe('two servers on one SQLite file', () => {
  describeKills({
    makeDatabase: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'transfer-checkout-kill-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      return {
        database: { name: 'SQLite', url: `file:${join(folder, 'shop.db')}` },
        // Handlers run at least once here; the merchant's ledger keeps each key once.
        readLedger: async (shop) => [
          ...new Set(shop.calls().flatMap((call) => (call.at === 'written' ? [call.key] : []))),
        ],
      };
    },
  });
});
