import {
  CheckoutError,
  createCheckout,
  createMemoryStore,
  createPaymentsClient,
} from 'transfer-checkout/server-kit';
import { totalOf } from '../merchant/cart.ts';
import { createCartCookies } from '../node/cart-cookies.ts';

const { PAYMENTS_BASE_URL: baseUrl = '', PAYMENTS_API_KEY: apiKey, PAYMENTS_API_SECRET = '' } = process.env;
const { PUBLIC_URL = '', CART_SECRET = '', CLIENT_SECRET_KEY = '', RECONCILE_KEY = '' } = process.env;

/** Creates the shop's checkout. The other files in this folder mount it at /checkout. */
export function createShopCheckout() {
  if (CART_SECRET === '') throw new Error('Set CART_SECRET: anybody who knows it can create carts.');
  const carts = createCartCookies(CART_SECRET);
  const prices = new Map<string, number>(); // Your own orders are in your database, with goods and prices.
  return createCheckout({
    payments: createPaymentsClient({ baseUrl, apiKey, apiSecret: PAYMENTS_API_SECRET }),
    store: createMemoryStore(), // For a try only: it forgets on restart. Live payments need SQLite or PostgreSQL.
    clientSecretKeys: [CLIENT_SECRET_KEY],
    publicUrl: PUBLIC_URL,
    reconcileKey: RECONCILE_KEY,
    createPayment: ({ headers }) => {
      const cart = carts.read(headers.get('cookie'));
      if (cart === undefined) throw new CheckoutError('forbidden', 'Your cart has ended.');
      // Frozen before it is paid: other goods or another price are another order id.
      const value = prices.get(cart.orderId) ?? totalOf(cart);
      prices.set(cart.orderId, value);
      return { orderId: cart.orderId, amount: { value, currency: 'NGN' } };
    },
    onPaid: ({ order: { orderId, amount } }) => {
      if (amount.value === prices.get(orderId)) console.log(`Order ${orderId} is paid.`);
      else console.error(`Order ${orderId} is paid at another price: ask the shopper.`);
    },
  });
}
