import * as v from 'valibot';
import { CheckoutError, type Money } from '../../src/contract/index.ts';
import { NonEmptyText, RequestAmount, RequestCustomer, RequestMetadata, WebUrl } from '../api/fields.ts';
import { describeIssues } from '../errors/describe-issues.ts';

/** The longest validity of an account: 30 days. */
const maxExpiresInSeconds = 30 * 24 * 3600;

/** What the merchant's server says of the order to be paid. The browser has no say in any of it. */
export const Order = v.strictObject({
  /** The merchant's id of the order. An order is paid once, whatever happens. */
  orderId: v.pipe(
    NonEmptyText,
    v.maxLength(200),
    // Databases store some of these as one and the same text, and two orders would be one.
    v.check((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), 'must be text without control characters'),
  ),
  /** What the order costs, in minor units. */
  amount: RequestAmount,
  /** Handed to the service; not stored and not sent to the browser. */
  customer: v.optional(RequestCustomer),
  /** How long the account waits for the money, in seconds. Default: 1,800. */
  expiresInSeconds: v.optional(
    v.pipe(v.number(), v.safeInteger(), v.minValue(60), v.maxValue(maxExpiresInSeconds)),
    1800,
  ),
  /** Handed to the service as it is; not sent to the browser. At most `maxMetadataBytes` (32,768) of JSON. */
  metadata: v.optional(RequestMetadata),
  /**
   * Of a link: where the service's page sends the shopper back to, http(s); the page that calls `resume`. Default:
   * `publicUrl`.
   */
  returnUrl: v.optional(WebUrl),
});
export type OrderInput = v.InferInput<typeof Order>;
export type Order = v.InferOutput<typeof Order>;

/**
 * @param source who gave the order, for the message
 * @throws {CheckoutError} `invalid_options`, naming each field at fault
 */
export function parseOrder(input: unknown, source: string): Order {
  const result = v.safeParse(Order, input);
  if (result.success) return result.output;
  const { text } = describeIssues(result.issues, 'the order');
  throw new CheckoutError('invalid_options', `${source} is not an order: ${text}.`);
}

/** Whether a recorded attempt asks for what the order costs now. */
export const isSameAmount = (left: Money, right: Money): boolean =>
  left.value === right.value && left.currency === right.currency;
