import * as v from 'valibot';
import { NonEmpty } from './non-empty.ts';
import { WebUrl } from './web-url.ts';

/**
 * The answer of `POST {base}/links`: where the shopper pays, on a page of the service, and what lets this browser see the
 * payment when it is back. There may be no payment to see until that page is opened.
 */
export const CheckoutLink = v.object({
  /** The merchant's id of the payment at the service. */
  reference: NonEmpty,
  /**
   * The service's own page, http(s). Where the order has an account already, or is paid, it is the shop's own page to come
   * back to, which shows that.
   */
  authorizationUrl: WebUrl,
  /** As in a session. */
  clientSecret: NonEmpty,
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
