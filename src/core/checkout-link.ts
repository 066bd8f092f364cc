import { CheckoutLink } from '../contract/link.ts';
import { routes } from '../contract/routes.ts';
import { parseBody, type ServerOptions, send, sessionHeaders } from './http.ts';
import { type OrderOptions, orderHash, saveStored } from './storage.ts';

/** Creates a payment page for the order, stores its session, and returns its URL. @throws {CheckoutError} */
export async function createLink(order: OrderOptions & ServerOptions): Promise<string> {
  const { environment, baseUrl: server, body } = order;
  const { signal } = new AbortController();
  const response = await send(order, routes.links, {
    method: 'POST',
    headers: sessionHeaders(),
    body,
    signal,
  });
  const { reference, clientSecret, authorizationUrl } = parseBody(CheckoutLink, response);
  saveStored(environment, { reference, clientSecret, server, order: orderHash(order) });
  return authorizationUrl;
}
