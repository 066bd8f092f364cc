import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newOrder } from '../../../../server-kit/engine/order/record.ts';
import { migrateTables } from '../../../../server-kit/stores/sql/migrate.ts';
import { createSqliteDatabase } from '../../../../server-kit/stores/sqlite/database.ts';
import { createSqliteStore } from '../../../../server-kit/stores/sqlite/store.ts';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';
import { describeStore } from '../conformance/store.conformance.ts';
import { eventsOf, type MakeStore, orderWrite } from '../conformance/store-kit.ts';

/** A folder that goes with the test, and the address of a database in it. */
function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, url: `file:${join(folder, 'shop.db')}` };
}

function open(options: Parameters<typeof createSqliteStore>[0]) {
  const store = createSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** A connection past the store. */
function connect(url: string) {
  const client = createClient({ url });
  onTestFinished(() => client.close());
  return client;
}

const makeStore: MakeStore = async ({ now }) => {
  const { url } = createFolder();
  return { open: () => open({ url, now }) };
};

describeStore('SQLite', makeStore);

/** A second write, with everything that a write can have. */
const paid = orderWrite({ version: 1, references: ['tc_2'], events: eventsOf('order-1', ['paid']) });

describe('a store in SQLite', () => {
  it('keeps its content when it is closed and opened again', async () => {
    const { url } = createFolder();
    const store = open({ url });
    await store.write(orderWrite());
    const stored = { record: newOrder('order-1'), version: 1 };
    await store.close();
    expect(await store.find({ orderId: 'order-1' })).toMatchObject(stored);
    expect(await open({ url }).find({ orderId: 'order-1' })).toMatchObject(stored);
  });

  it('fails while its folder does not exist, and works when it does', async () => {
    const { folder } = createFolder();
    const store = open({ url: `file:${join(folder, 'later', 'shop.db')}` });
    await expect(store.find({ orderId: 'order-1' })).rejects.toThrow(/later\/shop.db/);
    mkdirSync(join(folder, 'later'));
    expect(await store.find({ orderId: 'order-1' })).toMatchObject({ record: null, version: 0 });
  });

  it('fails when another process writes without end, changes nothing, and works afterwards', async () => {
    const { url } = createFolder();
    let waitedMs = 0;
    const wait = async (ms: number) => {
      waitedMs += ms;
    };
    const store = open({ url, wait });
    await store.write(orderWrite());
    const other = await connect(url).transaction('write');
    await expect(store.write(paid)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    expect(Math.round(waitedMs / 1000)).toBe(5);
    await other.rollback();
    expect(await store.write(paid)).toBe(true);
  });

  it('leaves no changes and no lock behind when a write fails half-way', async () => {
    const { url } = createFolder();
    const store = open({ url });
    const other = open({ url, wait: () => Promise.reject(new Error('locked out')) });
    await store.write(orderWrite());
    await connect(url).execute('DROP TABLE transfer_checkout_outcome_counts');
    await expect(store.write(paid)).rejects.toThrow(/transfer_checkout_outcome_counts/);
    expect(await other.find({ orderId: 'order-1' })).toMatchObject({ version: 1 });
    expect(await other.claimOutboxEvent({ leaseMs: 1000 })).toBeUndefined();
    expect(await other.write(orderWrite({ version: 1 }))).toBe(true);
  });
});

describe('the tables in SQLite', () => {
  it('are refused when they are of a newer release', async () => {
    const { url } = createFolder();
    await open({ url }).prepare();
    await connect(url).execute('UPDATE transfer_checkout_versions SET version = 99');
    const store = open({ url });
    await expect(store.prepare()).rejects.toThrow(/version 99, but this release knows only 1/);
    await expect(store.write(orderWrite())).rejects.toThrow(/Update transfer-checkout/);
  });

  it('are migrated by the new statements only, all or nothing', async () => {
    const database = createSqliteDatabase({ url: createFolder().url });
    onTestFinished(() => database.close());
    const first = () => ['CREATE TABLE one (id integer)'];
    const second = () => ['CREATE TABLE two (id integer)', 'INSERT INTO two VALUES (1)'];
    const broken = () => ['CREATE TABLE three (id integer)', 'SELECT 1 FROM nowhere'];
    await migrateTables(database, [first]);
    await migrateTables(database, [first, second]);
    await expect(migrateTables(database, [first, second, broken])).rejects.toThrow(/nowhere/);
    await migrateTables(database, [first, second]);
    expect(await database.run({ sql: 'SELECT id FROM two' })).toMatchObject([{ id: 1 }]);
    expect(await database.run({ sql: "SELECT 1 FROM sqlite_master WHERE name = 'three'" })).toEqual([]);
  });
});

it('SQLite reads only the woken records to claim them', async () => {
  const { url } = createFolder();
  await open({ url }).prepare();
  const read = 'SELECT * FROM transfer_checkout_records WHERE woken = 1 AND due_at <= 5 ORDER BY due_at';
  const { rows } = await connect(url).execute(`EXPLAIN QUERY PLAN ${read}`);
  const detail = expect.stringContaining('USING INDEX transfer_checkout_records_due (woken=?');
  expect(rows).toMatchObject([{ detail }]);
});

it('SQLite has nothing of a customer but the name of the account, which the shopper is shown', async () => {
  const accountName = 'Sandbox Merchant / Adaeze Obiora';
  const customer = { name: 'Adaeze Obiora', email: 'adaeze@example.com' };
  const { url } = createFolder();
  const shop = createTestShop({ store: open({ url }) });
  const session = await shop.open({ customer, metadata: { deliverTo: '7 Broad Street' } });
  expect(session.account.name).toBe(accountName);
  await shop.pay(session);
  await shop.reverse(session);
  await shop.callBack({ reference: 'by-hand', data: { customer } });
  expect(shop.errors).toEqual([]);
  const client = connect(url);
  const { rows: tables } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
  const results = await Promise.all(tables.map(({ name }) => client.execute(`SELECT * FROM "${name}"`)));
  const rows = JSON.stringify(results.flatMap((result) => result.rows));
  expect(rows).toContain('order-1');
  expect(rows.split(accountName)).toHaveLength(2);
  expect(rows.replace(accountName, '')).not.toMatch(/by-hand|adaeze|obiora|broad street|deliverTo/i);
});
