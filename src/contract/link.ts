import { ownCopy } from './own-fields.ts';
import { parseWebUrl } from './web-url.ts';

/** The response to `POST {base}/links`: a payment page of the service. The payment may not exist until that page is opened. */
export type CheckoutLink = {
  /** The merchant's id of the payment at the service. */
  readonly reference: string;
  /** The payment page, http(s); or the shop's return page, where the order already has an account or is paid. */
  readonly authorizationUrl: string;
  /** As in `Session`. */
  readonly clientSecret: string;
};

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Not a schema: valibot would be a quarter of what a page loads that only redirects. */
const fields: { readonly [Name in keyof CheckoutLink]: (value: unknown) => boolean } = {
  reference: isText,
  authorizationUrl: (url) => parseWebUrl(url) !== undefined,
  clientSecret: isText,
};

/** Returns the name of an invalid field of a link. */
export function findInvalidField(link: unknown): string | undefined {
  const own = ownCopy(Object(link));
  return Object.entries(fields).find(([name, isValid]) => !isValid(own[name]))?.[0];
}
