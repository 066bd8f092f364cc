import { beforeEach, describe, expect, it } from 'vitest';
import { createIndexedDbRecords } from '../../../../demo/hosted/storage/records.ts';
import { breakWrites, clearBrowser, connect } from './storage-kit.ts';

beforeEach(clearBrowser);

describe('the shop’s records in IndexedDB', () => {
  it('have one secret of each name, for all workers', async () => {
    const [records, other] = [
      createIndexedDbRecords(await connect()),
      createIndexedDbRecords(await connect()),
    ];
    const secrets = await Promise.all([records, other, records].map((one) => one.secret('carts')));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\da-f]{64}$/);
    expect(await other.secret('client secrets')).not.toBe(secrets[0]);
    clearBrowser();
    expect(await createIndexedDbRecords(await connect()).secret('carts')).not.toBe(secrets[0]);
  });

  it('know the paid orders, however often they were noted', async () => {
    const records = createIndexedDbRecords(await connect());
    await records.notePaid('order-1');
    await records.notePaid('order-1');
    const next = createIndexedDbRecords(await connect());
    expect([await next.isPaid('order-1'), await next.isPaid('order-2')]).toEqual([true, false]);
  });

  it('reject a write when the disk is full', async () => {
    const records = createIndexedDbRecords(await connect());
    const repair = breakWrites('QuotaExceededError', 'end');
    await expect(records.notePaid('order-1')).rejects.toMatchObject({ code: 'full' });
    await expect(records.secret('carts')).rejects.toMatchObject({ code: 'full' });
    repair();
    expect(await records.isPaid('order-1')).toBe(false);
  });
});
