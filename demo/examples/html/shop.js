import {
  CheckoutError,
  createCheckout,
  createMemoryStore,
  createPaymentsClient,
} from 'transfer-checkout/server-kit';

const { PAYMENTS_BASE_URL, PAYMENTS_API_KEY, PAYMENTS_API_SECRET } = process.env;
const { CLIENT_SECRET_KEY, PUBLIC_URL, PAGE_URL } = process.env;

/** What each order costs. Your own orders are in your database. */
const amounts = new Map();

/** Freezes an order before it is paid. Its id is in a cookie of the shopper, and nobody else can guess it. */
export function createOrder() {
  const orderId = crypto.randomUUID();
  amounts.set(orderId, { value: 650_000, currency: 'NGN' });
  return orderId;
}

export const checkout = createCheckout({
  client: createPaymentsClient({
    baseUrl: PAYMENTS_BASE_URL,
    apiKey: PAYMENTS_API_KEY,
    apiSecret: PAYMENTS_API_SECRET,
  }),
  store: createMemoryStore(), // For a try only: it forgets on restart. Live payments need SQLite or PostgreSQL.
  clientSecretKeys: [CLIENT_SECRET_KEY],
  publicUrl: PUBLIC_URL,
  // The page is on another origin, and sends the cookie.
  allowedOrigins: [PAGE_URL],
  getOrder({ headers }) {
    const [, orderId] = /(?:^|; )order=([\w-]+)/.exec(headers.get('cookie')) ?? [];
    const amount = amounts.get(orderId);
    if (!amount) throw new CheckoutError('forbidden', 'There is nothing to pay; go back to the shop.');
    return { orderId, amount };
  },
  onPaid({ order: { orderId, amount } }) {
    if (amount.value === amounts.get(orderId)?.value) console.log(`Order ${orderId} is paid: ship it.`);
    else console.error(`Order ${orderId} is paid at another price: ask the shopper.`);
  },
  onAttention({ outcome, order: { orderId }, money: { amount } }) {
    console.error(`Order ${orderId}: ${outcome}, ${amount.value} ${amount.currency}: a person must decide.`);
  },
});
