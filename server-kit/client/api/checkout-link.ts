import * as v from 'valibot';
import {
  Amount,
  CallbackUrl,
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

/** Interface, section 4.5: the body of POST /v1/payments/checkout. */
export const CheckoutLinkRequest = exactObject({
  reference: Identifier,
  amount: RequestAmount,
  customer: v.optional(RequestCustomer),
  /** Where the hosted page sends the shopper after the payment. */
  returnUrl: v.optional(WebUrl),
  callbackUrl: v.optional(CallbackUrl),
  metadata: v.optional(RequestMetadata),
});
export type CheckoutLinkRequest = v.InferInput<typeof CheckoutLinkRequest>;

/**
 * Interface, section 2.4: a checkout session of the service, with its hosted page at `authorizationUrl`. The link already exists when
 * this response arrives, so only the fields needed to send a shopper there are required. The amount may be missing, but an
 * unreadable amount is refused.
 */
export const CheckoutLink = v.looseObject({
  id: NonEmptyText,
  reference: NonEmptyText,
  amount: v.nullish(Amount),
  /** Always http(s), because the shopper's browser is sent there. */
  authorizationUrl: WebUrl,
  /** Unchecked: it may open an app (`myapp://back`). Check it before you send a browser there. */
  returnUrl: lenient(v.string()),
  expiresAt: lenient(Timestamp),
  callbackUrl: lenient(v.string()),
  metadata: lenient(Metadata),
  /** Required of every record (interface, section 1), and not listed in section 2.4. */
  liveMode: lenient(v.boolean()),
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;
