import * as v from 'valibot';
import { NonEmpty } from './non-empty.ts';
import { parseWebUrl } from './web-url.ts';

/**
 * The answer of `POST {base}/links`: where the shopper pays, on a page of the service, and what lets this browser see the
 * payment when it is back. There may be no payment to see until that page is opened.
 */
export const CheckoutLink = v.object({
  /** The merchant's id of the payment at the service. */
  reference: NonEmpty,
  /** The service's own page, http(s). */
  authorizationUrl: v.pipe(
    v.string(),
    v.check((text) => parseWebUrl(text) !== undefined),
  ),
  /** As in a session. */
  clientSecret: NonEmpty,
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
