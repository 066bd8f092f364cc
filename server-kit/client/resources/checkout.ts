import type { CheckoutLink, CheckoutLinkRequest } from '../../api/checkout-link.ts';
import type { Call } from '../request/call.ts';
import type { CallOptions } from '../request/call-options.ts';

/** Hosted checkout pages (interface, section 4.5). */
export type CheckoutResource = {
  /**
   * 4.5: creates a checkout link. `authorizationUrl` is http(s), or the call fails with `invalid_response`.
   *
   * @throws {PaymentsError} `reference_exists` when the reference was used before; with `isLikelyOwn` most likely by this very call,
   *   whose first answer was lost
   */
  create: (body: CheckoutLinkRequest, options?: CallOptions) => Promise<CheckoutLink>;
};

export function createCheckoutResource(call: Call): CheckoutResource {
  return { create: (body, options) => call('checkout.create', { body }, options) };
}
