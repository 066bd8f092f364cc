import {
  type Checkout,
  CheckoutError,
  createCheckout,
  createMemoryStore,
  createPaymentsClient,
  type OrderInput,
} from 'transfer-checkout/server-kit';

/** Your own orders are in your database. */
const orders = new Map<string, OrderInput>();

/** Freezes an order before it is paid. Its id is in a cookie of the shopper, and nobody else can guess it. */
export function createOrder(): string {
  const orderId = crypto.randomUUID();
  orders.set(orderId, { orderId, amount: { value: 650_000, currency: 'NGN' } });
  return orderId;
}

let checkout: Checkout | undefined;

/** Created at its first use, so that a build needs no environment. */
export function getCheckout(): Checkout {
  const { PAYMENTS_BASE_URL = '', PAYMENTS_API_KEY, PAYMENTS_API_SECRET = '' } = process.env;
  const { CLIENT_SECRET_KEY = '', PUBLIC_URL = '' } = process.env;
  checkout ??= createCheckout({
    client: createPaymentsClient({
      baseUrl: PAYMENTS_BASE_URL,
      apiKey: PAYMENTS_API_KEY,
      apiSecret: PAYMENTS_API_SECRET,
    }),
    store: createMemoryStore(), // For a try only: it forgets on restart. Live payments need SQLite or PostgreSQL.
    clientSecretKeys: [CLIENT_SECRET_KEY],
    publicUrl: PUBLIC_URL,
    getOrder({ headers }) {
      const [, orderId = ''] = /(?:^|; )order=([\w-]+)/.exec(headers.get('cookie') ?? '') ?? [];
      const order = orders.get(orderId);
      if (!order) throw new CheckoutError('forbidden', 'There is nothing to pay; go back to the shop.');
      return order;
    },
    onPaid({ order: { orderId, amount } }) {
      const isRight = amount.value === orders.get(orderId)?.amount.value;
      if (isRight) console.log(`Order ${orderId} is paid: ship it.`);
      else console.error(`Order ${orderId} is paid at another price: ask the shopper.`);
    },
    onAttention({ outcome, order: { orderId }, money: { amount } }) {
      console.error(
        `Order ${orderId}: ${outcome}, ${amount.value} ${amount.currency}: a person must decide.`,
      );
    },
  });
  return checkout;
}
