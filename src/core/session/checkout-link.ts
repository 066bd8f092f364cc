import { type OrderOptions, orderStorage } from './order-storage.ts';
import { createSessionClient } from './session-client.ts';

/**
 * Creates a payment page for the order, and stores the session so that this browser can retrieve the payment afterwards. Returns the
 * page's URL.
 *
 * @throws {CheckoutError}
 */
export async function createLink(order: OrderOptions): Promise<string> {
  const { signal } = new AbortController();
  const { value } = await createSessionClient(order).createLink({ body: order.body, signal });
  const { reference, clientSecret } = value;
  orderStorage(order).save({ reference, clientSecret });
  return value.authorizationUrl;
}
