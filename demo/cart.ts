import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The demo's books, with prices in kobo. Prices are always read from here, never from the browser. */
export const books = [
  { sku: 'things-fall-apart', title: 'Things Fall Apart', author: 'Chinua Achebe', price: 650_000 },
  {
    sku: 'half-of-a-yellow-sun',
    title: 'Half of a Yellow Sun',
    author: 'Chimamanda Ngozi Adichie',
    price: 600_000,
  },
] as const;

export type Cart = { orderId: string; skus: readonly string[] };

export const totalOf = (cart: Cart): number =>
  books.filter(({ sku }) => cart.skus.includes(sku)).reduce((sum, { price }) => sum + price, 0);

export const createCart = (): Cart => ({
  orderId: `order-${randomBytes(6).toString('hex')}`,
  skus: books.map(({ sku }) => sku),
});

/**
 * Keeps the cart in a signed cookie, which the browser cannot change. So `createPayment` knows that the order belongs to
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

export type CartCookies = ReturnType<typeof createCartCookies>;
