import type * as v from 'valibot';
import { NonEmpty } from './non-empty.ts';
import { WebUrl } from './web-url-schema.ts';
import { wireObject } from './wire-object.ts';

/** The response to `POST {base}/links`: a payment page of the service. The payment may not exist until that page is opened. */
export const CheckoutLink = wireObject({
  /** The merchant's id of the payment at the service. */
  reference: NonEmpty,
  /** The payment page, http(s); or the shop's return page, where the order already has an account or is paid. */
  authorizationUrl: WebUrl,
  /** As in `Session`. */
  clientSecret: NonEmpty,
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
