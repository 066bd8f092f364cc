import type { ShopRecords } from '../../shop-records.ts';
import type { DemoDatabase } from './schema.ts';
import { transact } from './transaction.ts';

/** Creates the shop's own records in IndexedDB. */
export const createIndexedDbRecords = (db: DemoDatabase): ShopRecords => ({
  secret: (name) =>
    transact(db, 'readwrite', ['secrets'], async (open) => {
      const known = await open('secrets').get(name);
      if (known !== undefined) return known;
      const secret = createSecret();
      await open('secrets').add(secret, name);
      return secret;
    }),
  notePaid: (orderId) =>
    transact(db, 'readwrite', ['paidOrders'], async (open) => {
      await open('paidOrders').put(true, orderId);
    }),
  isPaid: (orderId) =>
    transact(
      db,
      'readonly',
      ['paidOrders'],
      async (open) => (await open('paidOrders').getKey(orderId)) !== undefined,
    ),
});

const createSecret = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
