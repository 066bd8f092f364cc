import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { onTestFinished, vi } from 'vitest';
import {
  type DemoDatabase,
  type OpenedDatabase,
  type OpenOptions,
  openDatabase,
} from '../../../../demo/hosted/storage/database.ts';
import type { ShopEvent } from '../../../../demo/merchant/shop-records.ts';

/** Replaces the browser's storage with an empty one. */
export function clearBrowser(): void {
  globalThis.indexedDB = new IDBFactory();
}

/** Opens another connection, as a new worker does. */
export async function open(options: Partial<OpenOptions> = {}): Promise<OpenedDatabase> {
  const opened = await openDatabase({ name: 'demo', onClosed: () => {}, ...options });
  onTestFinished(() => opened.db.close());
  return opened;
}

export async function connect(): Promise<DemoDatabase> {
  return (await open()).db;
}

export const paidEvent: ShopEvent = {
  key: 'order-1:paid',
  at: '2026-05-04T09:00:00.000Z',
  outcome: 'paid',
  orderId: 'order-1',
  amount: { value: 1_250_000, currency: 'NGN' },
  reference: 'tc_1',
  received: { value: 1_250_000, currency: 'NGN' },
};

/** Ends the transaction as a browser does; fake IndexedDB never does it by itself. */
type Abortable = { _abort: (reason: string) => void };

/**
 * Ends every transaction that writes, for a reason of the browser's: `QuotaExceededError` if the disk is full, `AbortError` if
 * the connection is closed by force. It happens while a write is pending, or only at the end of the transaction.
 *
 * @returns what repairs the storage
 */
export function breakWrites(reason: string, at: 'write' | 'end'): () => void {
  const spies = (['put', 'add'] as const).map((method) => {
    const original = IDBObjectStore.prototype[method];
    return vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      const request = original.apply(this, args);
      const end = (): void => (this.transaction as unknown as Abortable)._abort(reason);
      if (at === 'write') end();
      else request.addEventListener('success', end);
      return request;
    });
  });
  const repair = (): void => spies.forEach((spy) => void spy.mockRestore());
  onTestFinished(repair);
  return repair;
}
