import * as v from 'valibot';
import {
  Amount,
  exactObject,
  Identifier,
  lenient,
  Metadata,
  NonEmptyText,
  RequestAmount,
  RequestCustomer,
  RequestMetadata,
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
  metadata: v.optional(RequestMetadata),
});
export type CheckoutLinkRequest = v.InferInput<typeof CheckoutLinkRequest>;

/**
 * 2.4, a checkout session of the service: a hosted page at `authorizationUrl`. Nothing else is needed to send a shopper there,
 * and the service has made the link by the time it answers: it must not be lost over what is only told with it. Its amount may
 * be missing, but one that cannot be read is not passed over.
 */
export const CheckoutLink = v.looseObject({
  id: NonEmptyText,
  reference: NonEmptyText,
  amount: v.nullish(Amount),
  /** Checked to be http(s), because a shopper's browser will be sent there. */
  authorizationUrl: WebUrl,
  /** As it came: it may lead into an app (`myapp://back`). Check it before a browser is sent there. */
  returnUrl: lenient(v.string()),
  expiresAt: lenient(Timestamp),
  callbackUrl: lenient(v.string()),
  metadata: lenient(Metadata),
  /** Section 1 says that every record has it; section 2.4 does not list it. */
  liveMode: lenient(v.boolean()),
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
