import { openDB } from 'idb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../../demo/hosted/storage/database.ts';
import { createIndexedDbRecords } from '../../../../demo/hosted/storage/records.ts';
import { createTestClock } from '../../../server-kit/kit/test-clock.ts';
import { clearBrowser, open, paidEvent } from './storage-kit.ts';

beforeEach(clearBrowser);

describe('the database of the demo', () => {
  it('is new, then known', async () => {
    const first = await open();
    expect(first.wasReset).toBe(false);
    await createIndexedDbRecords(first.db).addEvent(paidEvent);
    const second = await open();
    expect(second.wasReset).toBe(false);
    expect(await createIndexedDbRecords(second.db).eventsOf('order-1')).toEqual([paidEvent]);
  });

  it.each([
    ['an older', 1, 2],
    ['a newer', 2, 1],
  ])('is created again when %s version of the demo has written it', async (_name, written, version) => {
    const before = await open({ version: written });
    await createIndexedDbRecords(before.db).addEvent(paidEvent);
    before.db.close();
    const { db, wasReset } = await open({ version });
    expect(wasReset).toBe(true);
    expect(db.version).toBe(version);
    expect(await createIndexedDbRecords(db).eventsOf('order-1')).toEqual([]);
    expect((await open({ version })).wasReset).toBe(false);
  });

  it('is created again from object stores of any name', async () => {
    const old = await openDB('demo', 1, { upgrade: (db) => void db.createObjectStore('older') });
    old.close();
    const { db } = await open({ version: 2 });
    expect([...db.objectStoreNames]).not.toContain('older');
    await createIndexedDbRecords(db).addEvent(paidEvent);
  });

  it.each([
    ['newer', 2],
    ['older', 1],
  ])('is released to a %s version of the demo, once running writes have ended', async (_name, version) => {
    const onClosed = vi.fn();
    const { db } = await open({ version: 3 - version, onClosed });
    const records = createIndexedDbRecords(db);
    const write = records.addEvent(paidEvent);
    expect((await open({ version })).wasReset).toBe(true);
    await write;
    expect(onClosed).toHaveBeenCalledOnce();
    await expect(records.eventsOf('order-1')).rejects.toMatchObject({ code: 'closed' });
  });

  it.each([
    ['upgraded', 1, 2],
    ['deleted', 2, 1],
  ])('is given up when another connection keeps it from being %s', async (_name, written, version) => {
    const { wait, untilWaiting, advance } = createTestClock();
    const onClosed = vi.fn();
    // Without a listener for `versionchange`.
    const stubborn = await openDB('demo', written);
    const opening = openDatabase({ name: 'demo', onClosed, version, wait });
    await untilWaiting(5000);
    advance(5000);
    await expect(opening).rejects.toMatchObject({ name: 'StorageError', code: 'blocked' });
    stubborn.close();
    expect((await open({ version: 3 })).db.version).toBe(3);
    // The late connection of the first attempt was closed without a request to close it.
    expect(onClosed).not.toHaveBeenCalled();
  });
});

describe('a browser that does not open the database', () => {
  it.each([
    ['InvalidStateError', 'unavailable'],
    ['SecurityError', 'unavailable'],
    ['QuotaExceededError', 'full'],
    ['AbortError', 'closed'],
    ['UnknownError', 'failed'],
  ])('is reported for %s as %s', async (name, code) => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('no', name);
    });
    await expect(open()).rejects.toMatchObject({ name: 'StorageError', code, cause: { name } });
  });

  it('is reported as unavailable, with what to do, if it has no storage at all', async () => {
    vi.stubGlobal('indexedDB', undefined);
    await expect(open()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/private browsing.*reload/),
    });
    vi.unstubAllGlobals();
  });
});
