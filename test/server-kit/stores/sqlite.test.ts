import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@libsql/client/sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrateTables } from '../../../server-kit/stores/sql/migrations.ts';
import { createSqliteDatabase } from '../../../server-kit/stores/sql/sqlite-database.ts';
import { createSqliteStore } from '../../../server-kit/stores/sqlite.ts';
import { buildForNode } from '../kit/build-for-node.ts';
import { describeOutbox } from './outbox.conformance.ts';
import { describePayments } from './payments.conformance.ts';
import { type MakeStore, nothingFollows, record } from './store-kit.ts';

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

describePayments('SQLite', makeStore);
describeOutbox('SQLite', makeStore);

describe('a store in SQLite', () => {
  it('refuses an address that is no file, or is lost with the process', () => {
    for (const url of ['shop.db', ':memory:', 'file::memory:', 'libsql://shop.example', 'http://127.0.0.1']) {
      expect(() => createSqliteStore({ url })).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    }
  });

  it.each([[{}], [{ url: 5 }], [undefined], [null]])('refuses the options %j', (options) => {
    expect(() => createSqliteStore(options as never)).toThrow(
      expect.objectContaining({
        ...{ code: 'invalid_options', message: 'url must be a file, such as file:shop.db.' },
      }),
    );
  });

  it('keeps its content when it is closed and opened again', async () => {
    const { url } = createFolder();
    const store = open({ url });
    await store.insert(record, nothingFollows);
    await store.close();
    expect(await store.findByReference('tc_1')).toEqual(record);
    expect(await open({ url }).findByReference('tc_1')).toEqual(record);
  });

  it('fails while its folder does not exist, and works when it does', async () => {
    const { folder } = createFolder();
    const store = open({ url: `file:${join(folder, 'later', 'shop.db')}` });
    await expect(store.findByReference('tc_1')).rejects.toThrow(/later\/shop.db/);
    mkdirSync(join(folder, 'later'));
    expect(await store.findByReference('tc_1')).toBeUndefined();
  });

  it('waits for another process’s write, and then writes', async () => {
    const { url } = createFolder();
    await open({ url }).insert(record, nothingFollows);
    const other = await connect(url).transaction('write');
    let pauses = 0;
    const store = open({
      url,
      wait: async () => {
        if (++pauses === 3) await other.commit();
      },
    });
    expect(await store.update(record, { checkAfterMs: null, outcomes: ['paid'] })).toMatchObject({
      version: 2,
    });
    expect(pauses).toBe(3);
  });

  it('fails when another process writes without end, changes nothing, and works afterwards', async () => {
    const { url } = createFolder();
    await open({ url }).insert(record, nothingFollows);
    const other = await connect(url).transaction('write');
    let waitedMs = 0;
    const store = open({
      url,
      wait: async (ms) => {
        waitedMs += ms;
      },
    });
    const change = { checkAfterMs: null, outcomes: ['paid'] } as const;
    await expect(store.update(record, change)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    expect(Math.round(waitedMs / 1000)).toBe(5);
    await other.rollback();
    expect(await store.update(record, change)).toMatchObject({ version: 2 });
  });

  it('serves reads while a write waits for another process', async () => {
    const { url } = createFolder();
    await open({ url }).insert(record, nothingFollows);
    const other = await connect(url).transaction('write');
    let read: unknown;
    const store = open({
      url,
      wait: async () => {
        read = await store.findByReference('tc_1');
        await other.commit();
      },
    });
    const update = store.update(record, nothingFollows);
    expect(await update).toMatchObject({ version: 2 });
    expect(read).toEqual(record);
  });

  it('leaves no changes and no lock behind when a write fails half-way', async () => {
    const { url } = createFolder();
    const [store, other] = [
      open({ url }),
      open({ url, wait: () => Promise.reject(new Error('locked out')) }),
    ];
    await store.insert(record, nothingFollows);
    await store.update(record, { checkAfterMs: null, outcomes: ['paid'] });
    await connect(url).execute('DROP TABLE transfer_checkout_effects');
    const failing = store.update({ ...record, version: 2 }, { checkAfterMs: null, outcomes: ['paid'] });
    await expect(failing).rejects.toThrow(/transfer_checkout_effects/);
    expect(await other.update({ ...record, version: 2 }, nothingFollows)).toMatchObject({ version: 3 });
  });
});

describe('the tables in SQLite', () => {
  it('of a newer release are refused', async () => {
    const { url } = createFolder();
    await open({ url }).migrate();
    await connect(url).execute('UPDATE transfer_checkout_versions SET version = 99');
    const store = open({ url });
    await expect(store.migrate()).rejects.toThrow(/version 99, but this release knows only 5/);
    await expect(store.insert(record, nothingFollows)).rejects.toThrow(/Update transfer-checkout/);
  });

  it('are migrated by the new statements only, all or nothing', async () => {
    const database = createSqliteDatabase(createFolder());
    onTestFinished(() => database.close());
    const first = () => ['CREATE TABLE one (id integer)'];
    const second = () => ['CREATE TABLE two (id integer)', 'INSERT INTO two VALUES (1)'];
    const broken = () => ['CREATE TABLE three (id integer)', 'SELECT 1 FROM nowhere'];
    await migrateTables(database, [first]);
    await migrateTables(database, [first, second]);
    await expect(migrateTables(database, [first, second, broken])).rejects.toThrow(/nowhere/);
    await migrateTables(database, [first, second]);
    expect(await database.query('SELECT id FROM two')).toMatchObject([{ id: 1 }]);
    expect(await database.query("SELECT 1 FROM sqlite_master WHERE name = 'three'")).toEqual([]);
  });
});

describe('several processes on one SQLite file', () => {
  let writer: Awaited<ReturnType<typeof buildForNode>>;
  beforeAll(async () => {
    writer = await buildForNode(new URL('./sqlite-writer.ts', import.meta.url));
  });
  afterAll(() => writer.remove());

  /** Starts a process that writes payments, and gives what it says the store has taken. */
  const startWriter = (url: string, name: string, count: number) => {
    const child = spawn(process.execPath, [writer.file, url, name, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const acknowledged: string[] = [];
    const lines = createInterface(child.stdout).on('line', (line) => acknowledged.push(line));
    return { child, lines, acknowledged, ended: Promise.all([once(child, 'exit'), once(lines, 'close')]) };
  };

  it('lose nothing that was acknowledged when one is killed in the middle of its writes', async () => {
    const { url } = createFolder();
    const { child, lines, acknowledged, ended } = startWriter(url, 'killed', 1_000_000);
    while (acknowledged.length < 25) await once(lines, 'line');
    child.kill('SIGKILL');
    await ended;
    const store = open({ url });
    const lost: string[] = [];
    for (const reference of acknowledged) {
      const found = await store.findByReference(reference);
      if (found?.version !== 2) lost.push(reference);
    }
    expect(lost).toEqual([]);
    const { pendingOutboxEvents } = await store.measure();
    expect(pendingOutboxEvents).toBeGreaterThanOrEqual(acknowledged.length);
    expect(await store.insert(record, nothingFollows)).toBe(true);
  });

  it('begin at the same moment on an empty file, and all write', async () => {
    const { url } = createFolder();
    const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter(url, name, 20));
    const exits = await Promise.all(writers.map(({ ended }) => ended));
    expect(exits.map(([[code]]) => code)).toEqual([0, 0, 0, 0]);
    expect(writers.map(({ acknowledged }) => acknowledged.length)).toEqual([20, 20, 20, 20]);
    expect(await open({ url }).measure()).toMatchObject({ pendingOutboxEvents: 80 });
  });
});
