import { describe, expect, it } from 'vitest';
import type { Storage, StoredRecord } from '../../../../server-kit/tools/sandbox/index.ts';
import { call, controlCall, goodBody, initiate, memoryStorage, newSandbox } from './sandbox-kit.ts';

/** A storage whose appends end when the test says so. */
function slowStorage() {
  const appends: { entries: readonly StoredRecord[]; resolve: () => void; reject: (error: Error) => void }[] =
    [];
  const storage: Storage = {
    entries: [],
    append: (entries) =>
      new Promise((resolve, reject) => void appends.push({ entries: [...entries], resolve, reject })),
  };
  return { storage, appends };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a sandbox with a storage', () => {
  it('repeats no id after a restart, even if the random numbers repeat', async () => {
    const options = { storage: memoryStorage(), random: () => 0.5 };
    // One record with two ids, then one with one.
    await initiate(newSandbox(options), { reference: 'ord_1', customer: { name: 'Ada' } });
    await initiate(newSandbox(options), { reference: 'ord_2', customer: undefined });
    expect(newSandbox(options).control.listPayments()).toHaveLength(2);
  });

  it('responds only once its writes are stored', async () => {
    const { storage, appends } = slowStorage();
    const sandbox = newSandbox({ storage });
    let isAnswered = false;
    const response = initiate(sandbox).then((body) => {
      isAnswered = true;
      return body;
    });
    await expect.poll(() => appends.length).toBe(1);
    await settled();
    expect(isAnswered).toBe(false);
    appends[0]?.resolve();
    const { id } = await response;
    expect(appends[0]?.entries).toContainEqual(['payments', id, expect.objectContaining({ id })]);
  });

  it('responds with 500 to everything after the first failed write', async () => {
    const { storage, appends } = slowStorage();
    const sandbox = newSandbox({ storage });
    const first = call(sandbox, '/v1/payments', { body: goodBody });
    await expect.poll(() => appends.length).toBe(1);
    appends[0]?.reject(new Error('The disk is full.'));
    const responses = [
      await first,
      await call(sandbox, '/v1/payments', { body: { ...goodBody, reference: 'ord_2' } }),
      await call(sandbox, '/v1/payments/ord_1001/verify'),
      await call(sandbox, '/v1/payments', { body: goodBody }),
      await controlCall(sandbox, '/_sandbox/payments'),
    ];
    for (const { status, body } of responses) {
      expect([status, body.error.type, body.error.code]).toEqual([500, 'api_error', 'storage_failed']);
      expect(body.error.message).toMatch(/The disk is full\..*restart the sandbox/);
    }
    expect(appends).toHaveLength(1);
  });
});
