import { sandboxCredentials } from 'transfer-checkout/sandbox';
import {
  type Checkout,
  CheckoutError,
  createCheckout,
  createPaymentsClient,
  type OrderInput,
} from 'transfer-checkout/server-kit';
import { type Cart, type CartCookies, totalOf } from './cart.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

export type ShopCheckoutOptions = {
  /** The shop's public URL: `http://localhost:4242`. */
  publicUrl: string;
  /** The payments service; `undefined` for the sandbox at `/service`. */
  service: Settings['service'];
  storage: Storage;
  carts: CartCookies;
};

/** Creates the demo shop's checkout, for orders from signed carts at the shop's own prices. */
export async function createShopCheckout(options: ShopCheckoutOptions): Promise<Checkout> {
  const { publicUrl, service, storage, carts } = options;
  const { store, bus, records } = storage;
  return createCheckout({
    payments: createPaymentsClient(service ?? { baseUrl: `${publicUrl}/service`, ...sandboxCredentials }),
    store,
    ...(bus !== undefined && { bus }),
    clientSecretKeys: [await records.secret('client secrets')],
    publicUrl,
    // The order and its price come from the signed cart, never from the request's body.
    createPayment: ({ headers }) => {
      const cart = carts.read(headers.get('cookie'));
      if (cart === undefined) {
        throw new CheckoutError('forbidden', 'There is no cart in this browser; open the shop first.');
      }
      return orderOf(cart, publicUrl);
    },
    onPaid: async ({ order, transaction }) => {
      await records.notePaid(order.orderId, storage.queryIn(transaction));
      console.log(`Order ${order.orderId} is paid.`);
    },
  });
}

/** The order of a cart. */
export const orderOf = (cart: Cart, publicUrl: string): OrderInput => ({
  orderId: cart.orderId,
  amount: { value: totalOf(cart), currency: 'NGN' },
  customer: { name: 'Ada Obi', email: 'ada@example.com' },
  expiresInSeconds: 1800,
  returnUrl: `${publicUrl}/?returned`,
});
