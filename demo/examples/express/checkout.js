import { CheckoutError, createCheckout, createPaymentsClient } from 'transfer-checkout/server-kit';
import { createSqliteStore } from 'transfer-checkout/server-kit/stores/sqlite';
import { findOrder, markPaid } from './orders.js';

const { PAYMENTS_BASE_URL, PAYMENTS_API_KEY, PAYMENTS_API_SECRET } = process.env;

export const checkout = createCheckout({
  client: createPaymentsClient({
    baseUrl: PAYMENTS_BASE_URL,
    apiKey: PAYMENTS_API_KEY,
    apiSecret: PAYMENTS_API_SECRET,
  }),
  store: createSqliteStore({ url: process.env.DATABASE_URL }),
  clientSecretKeys: [process.env.CLIENT_SECRET_KEY],
  publicUrl: process.env.PUBLIC_URL,
  async getOrder({ headers }) {
    const order = await findOrder(headers.get('cookie'));
    if (!order) throw new CheckoutError('forbidden', 'There is nothing to pay; go back to the shop.');
    return order;
  },
  async onPaid({ order: { orderId, amount } }) {
    if (await markPaid(orderId, amount.value)) console.log(`Order ${orderId} is paid: ship it.`);
    else console.error(`Order ${orderId} is paid at another price: ask the shopper.`);
  },
  onAttention({ outcome, order: { orderId }, money: { amount } }) {
    console.error(`Order ${orderId}: ${outcome}, ${amount.value} ${amount.currency}: a person must decide.`);
  },
});
