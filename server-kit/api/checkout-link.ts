import * as v from 'valibot';
import {
  Amount,
  Metadata,
  maybe,
  NonEmptyText,
  RequestAmount,
  RequestCustomer,
  Timestamp,
  WebUrl,
} from './fields.ts';

/** 4.5, the body of POST /v1/payments/checkout. */
export const CheckoutLinkRequest = v.strictObject({
  reference: NonEmptyText,
  amount: RequestAmount,
  customer: v.optional(RequestCustomer),
  /** Where the hosted page sends the shopper afterwards. */
  returnUrl: v.optional(WebUrl),
  callbackUrl: v.optional(WebUrl),
  metadata: v.optional(Metadata),
});
export type CheckoutLinkRequest = v.InferInput<typeof CheckoutLinkRequest>;

/** 2.4, a checkout session of the service: a hosted page at `authorizationUrl`. */
export const CheckoutLink = v.looseObject({
  id: NonEmptyText,
  reference: NonEmptyText,
  amount: Amount,
  /** Checked to be http(s), because a shopper's browser will be sent there. */
  authorizationUrl: WebUrl,
  returnUrl: maybe(WebUrl),
  expiresAt: Timestamp,
  callbackUrl: maybe(v.string()),
  metadata: maybe(Metadata),
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
