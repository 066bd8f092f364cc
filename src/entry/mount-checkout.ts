import { type CheckoutOptions, validateOptions as validate } from '../options/options.ts';
import { readReference } from '../widget/dom/page.ts';
import { createWidget, type TransferCheckout } from './create-widget.ts';

/**
 * Creates a checkout. It starts when it is first shown.
 *
 * @throws {CheckoutError} `invalid_options` when an option is invalid; the message says what to write
 */
export function createTransferCheckout(options?: CheckoutOptions): TransferCheckout {
  return createWidget(options, { validate });
}

/**
 * Creates a checkout and shows it inside an element.
 *
 * @throws {CheckoutError} `invalid_options` when the element or an option is invalid; the message says what to write
 */
export function mountCheckout(element: Element, options?: CheckoutOptions): TransferCheckout {
  return createWidget(options, { validate }).mount(element);
}

/**
 * Shows the payment of a shopper who returns from the service's page, on the page that `returnUrl` names. Only `?reference=` is
 * read from the page's address, and it only selects among the payments that this browser has stored; the server is asked for the
 * payment's status. In another browser the screen says that the shop will confirm. Never creates a payment.
 *
 * @throws {CheckoutError} as `mountCheckout` does
 */
export function resume(element: Element, options?: CheckoutOptions): TransferCheckout {
  return createWidget(options, { validate, returned: { reference: readReference() } }).mount(element);
}
