import { container } from '@medusajs/framework';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import {
  type Checkout,
  createCheckout,
  type OrderInput,
  type OutcomeEvent,
} from 'transfer-checkout/server-kit';
import { createPostgresStore } from 'transfer-checkout/server-kit/stores/postgres';
import { findSession, recordPaid } from './payment-session';
import { paymentsClient } from './payments-client';
import { checkoutOrigins } from './store-origins';

const { DATABASE_URL = '', BACKEND_URL = '', CLIENT_SECRET_KEY = '' } = process.env;

/** What the checkout provider keeps in the `data` of a payment session: which order of the checkout pays it. */
export type CheckoutData = { session_id: string; order: OrderInput };

/** The second way: the whole checkout, with its tables in Medusa's database. The widget's `body` is `{ paymentCollectionId }`. */
export const checkout: Checkout = createCheckout({
  client: paymentsClient,
  store: createPostgresStore({ connectionString: DATABASE_URL }),
  clientSecretKeys: [CLIENT_SECRET_KEY],
  publicUrl: BACKEND_URL,
  allowedOrigins: checkoutOrigins(),
  async getOrder({ body }) {
    const { data } = await findSession<CheckoutData>(container, 'pp_checkout_bank', body);
    return data.order as OrderInput;
  },
  // Called until it has succeeded, also by the next process.
  onPaid: ({ order: { orderId, amount } }) => recordPaid(container, sessionOf(orderId), amount),
  onAttention: askAPerson,
});

/** The session that an order of the checkout was made from. */
const sessionOf = (orderId: string): string => orderId.split('-')[0] ?? '';

/** Your own task for your staff goes here. */
function askAPerson({ outcome, order: { orderId }, money }: OutcomeEvent): void {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  logger.error(
    `Order ${orderId}: ${outcome}, ${money.amount.value} ${money.amount.currency}: a person must decide.`,
  );
}
