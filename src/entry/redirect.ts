import { createLink } from '../core/checkout-link.ts';
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
