import { type CheckoutLink, findInvalidField } from '../../contract/link.ts';
import { routes } from '../../contract/routes.ts';
import { createSendRequest, invalidResponse, type ServerOptions } from '../connection/send-request.ts';
import { type OrderOptions, orderHash } from './order-storage.ts';
import { saveStored } from './payment-storage.ts';
import { sessionHeaders } from './session-request.ts';

/**
 * Creates a payment page for the order, and stores the session so that this browser can retrieve the payment afterwards. Returns the
 * page's URL.
 *
 * @throws {CheckoutError}
 */
export async function createLink(order: OrderOptions & ServerOptions): Promise<string> {
  const { environment, baseUrl: server, body } = order;
  const { signal } = new AbortController();
  const request = { method: 'POST', headers: sessionHeaders(), body, signal } as const;
  const { json } = await createSendRequest(order)(routes.links, request);
  const { reference, clientSecret, authorizationUrl } = parseLink(json);
  saveStored(environment, { reference, clientSecret, server, order: orderHash(order) });
  return authorizationUrl;
}

function parseLink(link: unknown): CheckoutLink {
  const invalid = findInvalidField(link);
  if (invalid) throw invalidResponse(`has no valid "${invalid}"`);
  return link as CheckoutLink;
}
