import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import {
  NonEmptyText,
  RequestAmount,
  RequestCustomer,
  RequestMetadata,
  WebUrl,
} from '../../client/api/fields.ts';
import { describeIssues } from '../../client/errors/describe-issues.ts';

/** 30 days. */
const maxExpiresInSeconds = 30 * 24 * 3600;

/** The order to be paid, as the merchant's server describes it. The browser has no influence on it. */
export const OrderRequest = v.strictObject({
  /** The merchant's id of the order: 1 to 200 characters, none of them a control character. An order is paid once only. */
  orderId: v.pipe(
    NonEmptyText,
    v.maxLength(200),
    // Databases store some of these as the same text, which would make two orders one.
    v.check((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), 'must be text without control characters'),
  ),
  /** What the order costs. */
  amount: RequestAmount,
  /** Passed to the service; not stored, and not sent to the browser. Default: none. */
  customer: v.optional(RequestCustomer),
  /** How long the account is open, in whole seconds: 60 to 2,592,000 (30 days). Default: 1,800. */
  expiresInSeconds: v.optional(
    v.pipe(v.number(), v.safeInteger(), v.minValue(60), v.maxValue(maxExpiresInSeconds)),
    1800,
  ),
  /** A JSON object of at most 32,768 bytes (`maxMetadataBytes`), passed to the service; not sent to the browser. Default: none. */
  metadata: v.optional(RequestMetadata),
  /**
   * For a link: the http(s) address to which the service's page sends the shopper back; its page calls `resume`. Default:
   * `publicUrl`.
   */
  returnUrl: v.optional(WebUrl),
});
export type OrderInput = v.InferInput<typeof OrderRequest>;
export type OrderRequest = v.InferOutput<typeof OrderRequest>;

/**
 * Parses an order and fills in its defaults.
 *
 * @param source who gave the order, for the message
 * @throws {CheckoutError} `invalid_options`, naming each field at fault
 */
export function parseOrder(input: unknown, source: string): OrderRequest {
  const result = v.safeParse(OrderRequest, input);
  if (result.success) return result.output;
  const { text } = describeIssues(result.issues, 'the order');
  throw new CheckoutError('invalid_options', `${source} is not an order: ${text}.`);
}
