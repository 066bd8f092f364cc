import { type Cart, type Carts, createCart } from '../../merchant/cart.ts';
import { createSecret, type ShopRecords } from '../../merchant/shop-records.ts';
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
  addEvent: (event) =>
    transact(db, 'readwrite', ['events'], async (open) => {
      const known = await open('events').index('key').getKey(event.key);
      if (known === undefined) await open('events').add(event);
    }),
  eventsOf: (orderId) =>
    transact(db, 'readonly', ['events'], (open) => open('events').index('order').getAll(orderId)),
});

/** Keeps the cart of this browser: the worker has no other visitors, and cannot set cookies. */
export const createIndexedDbCarts = (db: DemoDatabase): Carts => ({
  find: () =>
    transact(db, 'readwrite', ['cart'], async (open) => {
      const cart: Cart = (await open('cart').get('current')) ?? createCart();
      await open('cart').put(cart, 'current');
      return cart;
    }),
  start: () =>
    transact(db, 'readwrite', ['cart'], async (open) => {
      const cart = createCart();
      await open('cart').put(cart, 'current');
      return { cart, headers: {} };
    }),
});
