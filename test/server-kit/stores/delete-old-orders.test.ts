import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../server-kit/engine/store.ts';
import { createSqliteStore } from '../../../server-kit/stores/sqlite/store.ts';
import { hasPostgres } from '../kit/services.ts';
import { createTestClock, type TestClock } from '../kit/test-clock.ts';
import { eventsOf, helpersFor } from './conformance/store-kit.ts';
import { createSchema } from './postgres/postgres-kit.ts';

type Execute = (sql: string, values: number[]) => Promise<unknown>;

const page = readFileSync(new URL('../../../docs/server/running.md', import.meta.url), 'utf8');
const statements = (page.split('## Delete old orders')[1]?.match(/```sql\n([^`]+)```/)?.[1] ?? '').split(';');

async function deleteBefore(execute: Execute, ms: number): Promise<void> {
  for (const sql of statements.filter((one) => one.trim() !== ''))
    await execute(sql, sql.includes('$1') ? [ms] : []);
}

async function openSqlite() {
  const clock = createTestClock();
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = `file:${join(folder, 'shop.db')}`;
  const store = createSqliteStore({ url, now: clock.now });
  const client = createClient({ url });
  onTestFinished(async () => {
    client.close();
    await store.close();
  });
  const execute: Execute = (sql, args) => client.execute({ sql, args });
  return { clock, store, execute };
}

async function openPostgres() {
  const clock = createTestClock();
  const { pool, open } = await createSchema();
  const execute: Execute = (sql, values) => pool.query(sql, values);
  return { clock, store: open(clock), execute };
}

type Opened = { clock: TestClock; store: Store; execute: Execute };

describe.each<[string, boolean, () => Promise<Opened>]>([
  ['SQLite', true, openSqlite],
  ['PostgreSQL', await hasPostgres(), openPostgres],
])('the documented deletion of old orders in %s', (_name, isThere, openStore) => {
  it.skipIf(!isThere)('deletes what needs nothing more, with its references', async () => {
    const { clock, store, execute } = await openStore();
    const { write, runAll, claim } = helpersFor(store);
    const old = (id: string, change: Parameters<typeof write>[1] = {}) =>
      write(id, { references: [`of-${id}`], accountNumbers: [`at-${id}`], ...change });
    await old('gone', { events: eventsOf('gone', ['paid', 'reversed']) });
    await runAll();
    await old('due', { dueAfterMs: 60_000 });
    await old('parked', { events: eventsOf('parked', ['reversed']) });
    await store.updateOutboxEvent(await claim('parked:0:reversed'), { state: 'parked' });
    await old('waiting', { events: eventsOf('waiting', ['expired']) });
    clock.advance(1000);
    await old('young');
    await deleteBefore(execute, clock.now());
    const ids = ['gone', 'due', 'parked', 'waiting', 'young'];
    const found = await Promise.all(ids.map((id) => store.find({ reference: `of-${id}` })));
    expect(found.map(({ version }) => version)).toEqual([0, 1, 1, 1, 1]);
    expect((await store.find({ orderId: 'gone' })).record).toBeNull();
    expect(await store.findOrders('at-gone')).toEqual([]);
    expect(await store.claimOrders({ reference: 'of-gone', leaseMs: 0 })).toEqual([]);
    expect(await old('gone', { events: eventsOf('gone', ['paid']) })).toBe(true);
    expect(await store.find({ reference: 'of-gone' })).toMatchObject({ version: 1 });
  });
});
