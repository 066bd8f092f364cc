import * as v from 'valibot';
import {
  Amount,
  exactObject,
  Identifier,
  Metadata,
  maybe,
  NonEmptyText,
  RequestAmount,
  RequestCustomer,
  Timestamp,
  WebUrl,
} from './fields.ts';

/** 4.5, the body of POST /v1/payments/checkout. */
export const CheckoutLinkRequest = exactObject({
  reference: Identifier,
  amount: RequestAmount,
  customer: v.optional(RequestCustomer),
  /** Where the hosted page sends the shopper afterwards. */
  returnUrl: v.optional(WebUrl),
  callbackUrl: v.optional(WebUrl),
  metadata: v.optional(Metadata),
});
export type CheckoutLinkRequest = v.InferInput<typeof CheckoutLinkRequest>;

/**
 * 2.4, a checkout session of the service: a hosted page at `authorizationUrl`. Nothing else is needed to send a shopper there,
 * and the service has made the link by the time it answers: it must not be lost over what is only told with it.
 */
export const CheckoutLink = v.looseObject({
  id: NonEmptyText,
  reference: NonEmptyText,
  amount: maybe(Amount),
  /** Checked to be http(s), because a shopper's browser will be sent there. */
  authorizationUrl: WebUrl,
  returnUrl: maybe(WebUrl),
  expiresAt: maybe(Timestamp),
  callbackUrl: maybe(v.string()),
  metadata: maybe(Metadata),
  /** Section 1 says that every record has it; section 2.4 does not list it. */
  liveMode: maybe(v.boolean()),
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
