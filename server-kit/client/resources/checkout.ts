import type { CheckoutLink, CheckoutLinkRequest } from '../api/checkout-link.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { Call } from '../request/call.ts';

/** Hosted checkout pages (interface, section 4.5). */
export type CheckoutResource = {
  /**
   * 4.5: creates a checkout link. `authorizationUrl` is always http(s).
   *
   * @throws {PaymentsError} `reference_exists` if the reference was used before. With `isLikelyOwn`, whatever the code, this call may have created
   *   the link itself and lost the response
   */
  create: (body: CheckoutLinkRequest, options?: CallOptions) => Promise<CheckoutLink>;
};

export function createCheckoutResource(call: Call): CheckoutResource {
  return { create: (body, options) => call('checkout.create', { body }, options) };
}
