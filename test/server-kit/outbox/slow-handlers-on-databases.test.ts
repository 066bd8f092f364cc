import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import { createPostgresStore } from '../../../server-kit/stores/postgres.ts';
import { createSqliteStore } from '../../../server-kit/stores/sqlite.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import { hasPostgres } from '../kit/services.ts';
import { createSchema } from '../stores/postgres-kit.ts';
import { describeSlowHandlers } from './slow-handlers.conformance.ts';

async function openSqlite(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = createSqliteStore({ url: `file:${join(folder, 'shop.db')}` });
  onTestFinished(store.close);
  return store;
}

async function openOnPool(): Promise<Store> {
  const { connectionString } = await createSchema();
  const pool = new Pool({ connectionString, max: 7, query_timeout: 20_000 });
  onTestFinished(() => pool.end());
  return createPostgresStore({ pool });
}

describeSlowHandlers({ name: 'SQLite', hung: 20, most: 100, open: openSqlite });

if (await hasPostgres()) {
  const open = async () => (await createSchema()).open() as Store;
  describeSlowHandlers({ name: 'PostgreSQL', hung: 11, most: 12, open });
  const name = 'PostgreSQL with a pool of seven of the merchant’s';
  describeSlowHandlers({ name, hung: 3, most: 4, open: openOnPool });
}
