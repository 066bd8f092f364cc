import {
  type Checkout,
  CheckoutError,
  createCheckout,
  type OrderInput,
  type OutcomeEvent,
  type PaymentsClient,
  type Store,
} from 'transfer-checkout/server-kit';
import { type Cart, type Carts, currency, totalOf } from './cart.ts';
import type { Query, ShopEvent, ShopRecords } from './shop-records.ts';

/** The name that shoppers and banks show. */
export const shopName = 'Kola’s Bookshop';

/** How the demo's sandbox behaves: transfers are confirmed after a moment, and may come in parts. */
export const sandboxSettings = {
  businessName: shopName,
  confirmationSeconds: 2,
  acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
} as const;

export type ShopCheckoutOptions = {
  /** The shop's public URL: `http://localhost:4242`. */
  publicUrl: string;
  client: PaymentsClient;
  store: Store;
  /** `undefined` if the shop is a single process. */
  records: ShopRecords;
  /** Runs statements in the transaction that a handler received, if there is one. */
  queryIn: (transaction: unknown) => Query | undefined;
  carts: Carts;
  /** Whether the sandbox's public keys are accepted at a public address. Default: false. */
  allowSandbox?: boolean;
  /** Prints a line for the shop's developer. Default: nothing is printed. */
  print?: (line: string) => void;
};

/** Creates the demo shop's checkout, for orders from the visitors' own carts at the shop's own prices. */
export async function createShopCheckout(options: ShopCheckoutOptions): Promise<Checkout> {
  const { publicUrl, client, store, records, carts, allowSandbox = false, print } = options;
  const record = async (event: OutcomeEvent): Promise<void> => {
    await records.addEvent(toShopEvent(event), options.queryIn(event.transaction));
    print?.(`${event.outcome}: order ${event.order.orderId}`);
  };
  return createCheckout({
    client,
    store,
    clientSecretKeys: [await records.secret('client secrets')],
    publicUrl,
    allowSandbox,
    // The order and its price come from the visitor's cart, never from the request's body. A cart is frozen: its goods stay the same,
    // and a new cart has another order id.
    async getOrder({ headers }) {
      const cart = await carts.find(headers);
      if (cart === undefined) {
        throw new CheckoutError('forbidden', 'There is no cart in this browser; open the shop first.');
      }
      return orderOf(cart, publicUrl);
    },
    onPaid: record,
    onFailed: record,
    onExpired: record,
    // A real shop asks a person here.
    onAttention: record,
  });
}

const toShopEvent = ({ idempotencyKey, outcome, order, payment }: OutcomeEvent): ShopEvent => ({
  key: idempotencyKey,
  at: new Date().toISOString(),
  outcome,
  orderId: order.orderId,
  amount: order.amount,
  reference: payment.reference,
  received: { value: payment.chargedAmount, currency: order.amount.currency },
});

/** The order of a cart. */
export const orderOf = (cart: Cart, publicUrl: string): OrderInput => ({
  orderId: cart.orderId,
  amount: { value: totalOf(cart), currency },
  customer: { name: 'Ada Obi', email: 'ada@example.com' },
  expiresInSeconds: 1800,
  returnUrl: `${publicUrl}/?returned`,
});
