import { ownFields } from '../contract/own-fields.ts';
import { isJson, isServerUrl } from './accepted-values.ts';
import { checkOptions } from './check-options.ts';
import { anyValue, oneOf, option, type ValuesOf } from './option.ts';

/** The options that identify the order and its server, for calls that need no others. */
export const orderOptions = {
  /**
   * Where the checkout handler is mounted: a path of this site, or an http(s) URL. An attribute may name another origin only where
   * the page allows it (`allowOrigins`). Default: `/checkout`.
   */
  baseUrl: option<string>(
    isServerUrl,
    'a path such as "/checkout", or an http(s) URL, without query',
    'payableUrl',
  ),
  /**
   * Whether requests carry cookies, as in `fetch`. Default: `same-origin`. Use `include` when `baseUrl` is on another origin and
   * `getOrder` authorises by a cookie; that server must list the page in `allowedOrigins`.
   */
  credentials: oneOf('same-origin', 'include', 'omit'),
  /**
   * JSON for the server's `getOrder`, such as `{ orderId: '1001' }`. The server sets the price. An attribute or a property of
   * the element may be the text of a JSON object. Default: `{}`.
   */
  body: option<unknown>(isJson, 'a value that JSON can represent', 'object'),
  /**
   * Names the order where `body` does not. A page that is loaded without a network may then show the stored reference of this order,
   * and `resume` needs no `?reference=`. Online, the server says which order a page is for.
   */
  orderKey: anyValue<string>('text'),
};

/** Options of the order as a page gives them. */
export type GivenOrder = ValuesOf<typeof orderOptions>;

/** Validated options of the order: all of them, as own fields. */
export type ValidOrder = Required<GivenOrder>;

/**
 * Validates the options of the order.
 *
 * @throws {CheckoutError} `invalid_options`, with what to write instead
 */
export function validateOrder(given: GivenOrder = {}): ValidOrder {
  return ownFields(checkOptions(given, orderOptions), Object.keys(orderOptions)) as ValidOrder;
}

/** Returns the options of the order as requests and the storage use them, with defaults. */
export const resolveOrder = ({ baseUrl = '/checkout', body = {}, credentials, orderKey }: GivenOrder) => ({
  baseUrl: baseUrl.replace(/\/$/, ''),
  body: JSON.stringify(body),
  credentials,
  orderKey,
});
