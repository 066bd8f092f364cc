import {
  CheckoutError,
  createCheckout,
  createMemoryStore,
  createPaymentsClient,
  type OrderInput,
} from 'transfer-checkout/server-kit';

declare global {
  var shop: ReturnType<typeof createShop> | undefined;
}

/**
 * Next bundles each route separately, so they share the shop through a global. Not created while Next builds. Restart `npm run dev` after
 * a change in this file, because the global keeps the shop.
 */
export function getShop() {
  globalThis.shop ??= createShop();
  return globalThis.shop;
}

function createShop() {
  const { PAYMENTS_BASE_URL = '', PAYMENTS_API_KEY, PAYMENTS_API_SECRET = '' } = process.env;
  const { CLIENT_SECRET_KEY = '', PUBLIC_URL = '' } = process.env;
  const orders = new Map<string, OrderInput>(); // Your own orders are in your database.

  const checkout = createCheckout({
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

  /** Freezes an order before it is paid. Its id is in a cookie of the shopper, and nobody else can guess it. */
  function createOrder(): string {
    const orderId = crypto.randomUUID();
    orders.set(orderId, { orderId, amount: { value: 650_000, currency: 'NGN' } });
    return orderId;
  }

  return { checkout, orders, createOrder };
}
