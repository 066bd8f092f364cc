import {
  CheckoutError,
  createCheckout,
  createMemoryStore,
  createPaymentsClient,
  type OrderInput,
} from 'transfer-checkout/server-kit';
import { createPostgresStore } from 'transfer-checkout/server-kit/stores/postgres';

export type ShopEnv = Readonly<
  Record<
    | 'PUBLIC_URL'
    | 'PAYMENTS_BASE_URL'
    | 'PAYMENTS_API_KEY'
    | 'PAYMENTS_API_SECRET'
    | 'CLIENT_SECRET_KEY'
    | 'OPERATOR_KEY'
    | 'DATABASE_URL',
    string
  >
>;

/** The shop's own orders. */
export type Orders = {
  get: (orderId: string) => OrderInput | undefined;
  put: (orderId: string, order: OrderInput) => void;
};

export function createShop(env: ShopEnv, orders: Orders) {
  const checkout = createCheckout({
    client: createPaymentsClient({
      baseUrl: env.PAYMENTS_BASE_URL,
      apiKey: env.PAYMENTS_API_KEY,
      apiSecret: env.PAYMENTS_API_SECRET,
    }),
    // The memory store is for test mode: live mode refuses it.
    store: env.DATABASE_URL
      ? createPostgresStore({ connectionString: env.DATABASE_URL })
      : createMemoryStore(),
    clientSecretKeys: [env.CLIENT_SECRET_KEY],
    publicUrl: env.PUBLIC_URL,
    operatorKey: env.OPERATOR_KEY,
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
    orders.put(orderId, { orderId, amount: { value: 650_000, currency: 'NGN' } });
    return orderId;
  }

  return { checkout, createOrder };
}
