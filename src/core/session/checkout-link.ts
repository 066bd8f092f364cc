import { CheckoutLink, routes } from '../../contract/index.ts';
import { createSendRequest, parseBody } from '../connection/send-request.ts';
import { type OrderOptions, orderHash } from './order-storage.ts';
import { saveStored } from './payment-storage.ts';
import { sessionHeaders } from './session-request.ts';

/**
 * Creates a payment page for the order, and stores the session so that this browser can retrieve the payment afterwards. Returns the
 * page's URL.
 *
 * @throws {CheckoutError}
 */
export async function createLink(order: OrderOptions): Promise<string> {
  const { environment, baseUrl: server, body } = order;
  const { signal } = new AbortController();
  const request = { method: 'POST', headers: sessionHeaders(), body, signal } as const;
  const { value } = await createSendRequest(order)(routes.links, request, (text) =>
    parseBody(CheckoutLink, text),
  );
  const { reference, clientSecret, authorizationUrl } = value;
  saveStored(environment, { reference, clientSecret, server, order: orderHash(order) });
  return authorizationUrl;
}
