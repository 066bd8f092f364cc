import { beforeEach, describe, expect, it } from 'vitest';
import { openSandboxStorage } from '../../../../demo/hosted/storage/sandbox-storage.ts';
import type { Sandbox, StoredRecord } from '../../../../server-kit/tools/sandbox/index.ts';
import {
  call,
  goodBody,
  initiate,
  newSandbox,
  verify,
} from '../../../server-kit/tools/sandbox/sandbox-kit.ts';
import { breakWrites, clearBrowser, connect } from './storage-kit.ts';

beforeEach(clearBrowser);

/** Starts a sandbox as a new worker does. */
const start = async (): Promise<Sandbox> =>
  newSandbox({ storage: await openSandboxStorage(await connect()) });

const shown = ({ control }: Sandbox) => ({
  payments: control.listPayments(),
  accounts: control.listDedicatedAccounts(),
  faults: control.listFaults(),
  callbacks: control.listCallbacks(),
  clock: control.readClock(),
});

describe('the sandbox’s records in IndexedDB', () => {
  it('restore the sandbox: the same records in the same order', async () => {
    const sandbox = await start();
    const references = ['ord_1', 'ord_2', 'ord_3'];
    const accounts: string[] = [];
    for (const reference of references) accounts.push((await initiate(sandbox, { reference })).accountNumber);
    sandbox.control.transfer({ accountNumber: accounts[0] ?? '', amount: goodBody.amount.value });
    sandbox.control.setClock({ advanceSeconds: 60, frozen: true });
    await verify(sandbox, 'ord_1');
    await sandbox.settled();
    const before = shown(sandbox);
    expect(before.payments.map(({ reference }) => reference)).toEqual(references.toReversed());
    expect(before.callbacks).not.toEqual([]);
    await sandbox.close();

    const restarted = await start();
    expect(shown(restarted)).toEqual(before);
    expect((await verify(restarted, 'ord_1')).status).toBe('succeeded');
    const again = await call(restarted, '/v1/payments', { body: { ...goodBody, reference: 'ord_2' } });
    expect(again.body.error.code).toBe('reference_exists');
  });

  it('are the last version of each record, in the order of creation', async () => {
    const { append } = await openSandboxStorage(await connect());
    await append([
      ['payments', 'a', { id: 'a', n: 1 }],
      ['payments', 'b', { id: 'b' }],
      ['apps', 'a', { id: 'a' }],
    ]);
    await append([
      ['payments', 'a', { id: 'a', n: 2 }],
      ['payments', 'b', null],
      ['payments', 'unknown', null],
    ]);
    await append([
      ['payments', 'b', { id: 'b', n: 2 }],
      ['payments', 'a', { id: 'a', n: 3 }],
    ]);
    const kept: StoredRecord[] = [
      ['payments', 'a', { id: 'a', n: 3 }],
      ['apps', 'a', { id: 'a' }],
      ['payments', 'b', { id: 'b', n: 2 }],
    ];
    const db = await connect();
    expect((await openSandboxStorage(db)).entries).toEqual(kept);
    expect(await db.count('sandbox')).toBe(3);
  });

  it('are stored all or none', async () => {
    const { append } = await openSandboxStorage(await connect());
    const clone = { id: 'b', cannotBeCloned: () => {} };
    const failing = append([
      ['payments', 'a', { id: 'a' }],
      ['payments', 'b', clone],
    ]);
    await expect(failing).rejects.toMatchObject({ code: 'failed' });
    expect((await openSandboxStorage(await connect())).entries).toEqual([]);
  });

  it('are written only by the newest worker', async () => {
    const first = await start();
    await initiate(first);
    const second = await start();
    const refused = await call(first, '/v1/payments', { body: { ...goodBody, reference: 'ord_2' } });
    expect(refused.body.error).toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('A newer worker has taken over'),
    });
    await initiate(second, { reference: 'ord_3' });
    const references = (await start()).control.listPayments().map(({ reference }) => reference);
    expect(references).toEqual(['ord_3', 'ord_1001']);
  });

  it('refuse a request whose records the disk has no space for', async () => {
    const sandbox = await start();
    breakWrites('QuotaExceededError', 'end');
    const refused = await call(sandbox, '/v1/payments', { body: goodBody });
    expect([refused.status, refused.body.error.code]).toEqual([500, 'storage_failed']);
    expect(refused.body.error.message).toContain('no space left');
  });
});
