import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Cart, type Carts, createCart } from '../merchant/cart.ts';

/**
 * Keeps the cart in a signed cookie, which the browser cannot change. So `getOrder` knows that the order belongs to
 * the caller.
 */
export function createCartCookies(secret: string) {
  const sign = (payload: string): string => createHmac('sha256', secret).update(payload).digest('base64url');
  return {
    /** Returns the `Set-Cookie` header for a cart; scripts and other sites cannot read the cookie. */
    write(cart: Cart): string {
      const payload = Buffer.from(JSON.stringify(cart)).toString('base64url');
      return `cart=${payload}.${sign(payload)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800`;
    },
    /** Returns the cart of a `Cookie` header, or `undefined` if it is missing or was changed. */
    read(cookies: string | null | undefined): Cart | undefined {
      const [, payload = '', signature = ''] = /(?:^|;\s*)cart=([\w-]+)\.([\w-]+)/.exec(cookies ?? '') ?? [];
      const expected = Buffer.from(sign(payload));
      const given = Buffer.from(signature);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Cart;
    },
  };
}

/** The carts of a server with many visitors. */
export function createCookieCarts(secret: string): Carts {
  const cookies = createCartCookies(secret);
  return {
    find: async (headers) => cookies.read(headers.get('cookie')),
    async start() {
      const cart = createCart();
      return { cart, headers: { 'set-cookie': cookies.write(cart) } };
    },
  };
}
