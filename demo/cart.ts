import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is in the demo's shop window. Prices in kobo; they are read here, never from the browser. */
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
 * A cart in a cookie that the browser can keep but not change. This is what lets `createPayment` know that the
 * order it hands out a session for is the caller's own.
 */
export function createCartCookies(secret: string) {
  const sign = (payload: string): string => createHmac('sha256', secret).update(payload).digest('base64url');
  return {
    /** The `Set-Cookie` that puts the cart into the browser: out of reach of scripts and of other sites. */
    write(cart: Cart): string {
      const payload = Buffer.from(JSON.stringify(cart)).toString('base64url');
      return `cart=${payload}.${sign(payload)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800`;
    },
    /** The cart of a `Cookie` header, or `undefined` when there is none or somebody has changed it. */
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
