/** The demo's currency. */
export const currency = 'NGN';

/** The demo's books, with prices in kobo. Prices are always read from here, never from the browser. */
const books = [
  { sku: 'things-fall-apart', title: 'Things Fall Apart', author: 'Chinua Achebe', price: 650_000 },
  {
    sku: 'half-of-a-yellow-sun',
    title: 'Half of a Yellow Sun',
    author: 'Chimamanda Ngozi Adichie',
    price: 600_000,
  },
] as const;

/** The goods of one order. They never change: other goods are another cart. */
export type Cart = { orderId: string; skus: readonly string[] };

/** Where a host keeps the cart of each visitor. */
export type Carts = {
  /** Returns the cart of the browser that sent these headers; `undefined` if it has none. */
  find: (headers: Headers) => Promise<Cart | undefined>;
  /** Gives the browser a new cart. The headers belong in the response. */
  start: () => Promise<{ cart: Cart; headers: Readonly<Record<string, string>> }>;
};

export const booksIn = (cart: Cart) => books.filter(({ sku }) => cart.skus.includes(sku));

export const totalOf = (cart: Cart): number => booksIn(cart).reduce((sum, { price }) => sum + price, 0);

export const createCart = (): Cart => ({
  orderId: `order-${crypto.randomUUID().slice(-12)}`,
  skus: books.map(({ sku }) => sku),
});
