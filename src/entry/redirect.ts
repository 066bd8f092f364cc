import { routes } from '../contract/routes.ts';
import { CheckoutLink } from '../contract/session.ts';
import { parseBody, type ServerOptions, send, sessionHeaders } from '../core/http.ts';
import { type OrderOptions, orderHash, saveStored } from '../core/storage.ts';
import { type GivenOrder, validateOrder } from '../options/options.ts';
import { requestEnvironment as environment } from '../widget/dom/browser-environment.ts';
import { whenVisited } from '../widget/dom/page.ts';

/** The checkout options that `redirectToCheckout` takes. */
export type RedirectOptions = GivenOrder;

/**
 * Sends the shopper to the service's page to pay the order, and stores what `resume` needs to recognise the payment. Resolves
 * when the navigation has started.
 *
 * @throws {CheckoutError} `invalid_options`, or the server's error when it has no such page
 */
export async function redirectToCheckout(options?: RedirectOptions): Promise<void> {
  await openPaymentPage(validateOrder(options));
}

export async function openPaymentPage(order: ReturnType<typeof validateOrder>): Promise<void> {
  await new Promise<void>(whenVisited);
  location.assign(await createLink({ ...order, environment }));
}

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
