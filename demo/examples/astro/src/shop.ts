import { getSecret } from 'astro:env/server';
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

/** Created and started at its first use, so that a build needs no environment. */
export function getCheckout(): Checkout {
  checkout ??= startCheckout();
  return checkout;
}

function startCheckout(): Checkout {
  const created = createCheckout({
    client: createPaymentsClient({
      baseUrl: getSecret('PAYMENTS_BASE_URL') ?? '',
      apiKey: getSecret('PAYMENTS_API_KEY'),
      apiSecret: getSecret('PAYMENTS_API_SECRET') ?? '',
    }),
    store: createMemoryStore(), // For a try only: it forgets on restart. Live payments need SQLite or PostgreSQL.
    clientSecretKeys: [getSecret('CLIENT_SECRET_KEY') ?? ''],
    publicUrl: getSecret('PUBLIC_URL') ?? '',
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
  created.start();
  process.once('SIGTERM', async () => {
    // Responds to waiting requests. Astro's server would end without.
    await created.stop();
    // The responses have been written by now; Node takes a moment to send them.
    setTimeout(() => process.exit(0), 1000);
  });
  return created;
}
