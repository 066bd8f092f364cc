import * as v from 'valibot';
import { NonEmpty, WebUrl } from './fields.ts';

/** The response to `POST {base}/links`: a payment page of the service. The payment may not exist until that page is opened. */
export const CheckoutLink = v.object({
  /** The merchant's id of the payment at the service. */
  reference: NonEmpty,
  /** The payment page, http(s); or the shop's return page, where the order already has an account or is paid. */
  authorizationUrl: WebUrl,
  /** As in `Session`. */
  clientSecret: NonEmpty,
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
