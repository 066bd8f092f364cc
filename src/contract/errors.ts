/**
 * Every error code of the checkout, with its HTTP status. The list is closed: the server and the widget use no other codes.
 * Each comment says what happened, and then what to do: the reference is made from them.
 * Codes without a status are never sent: the browser throws them, and functions of the server throw `invalid_options`.
 */
export const checkoutErrorStatus = {
  /**
   * The body is not what the route takes.
   *
   * The message names the field. A page that builds its own requests must send what the widget sends; the widget's option `body` must be JSON.
   */
  invalid_request: 400,
  /**
   * The page and the server use different major versions of the contract.
   *
   * Reload the page, so that it loads the widget of the current release. Install the same release on the server and for the browser.
   */
  contract_unsupported: 400,
  /**
   * The client secret is missing, wrong or expired, or the payment does not exist.
   *
   * The widget requests another secret by itself. If it happens often, give every instance the same `clientSecretKeys`, and the same store. If the log has `secretMissing`, a proxy removes the header `Checkout-Secret`.
   */
  session_unauthorized: 401,
  /**
   * A callback without a valid signature of the service, or too old.
   *
   * Compare `apiSecret`, the public address of the callbacks and the clock with the service's, and let nothing parse or rewrite the body. `transfer-checkout verify callback` names the difference.
   */
  callback_unauthorized: 401,
  /**
   * The merchant's `getOrder` refused the caller.
   *
   * The shopper's session or cart has ended: send them back to the shop. If they should be able to pay, `getOrder` does not find their order: check that the request carries the cookie.
   */
  forbidden: 403,
  /**
   * The request came from a page of another site.
   *
   * Name the exact origin of the page in `allowedOrigins`, or set `publicUrl` to the address that shoppers see. The log names the origin as `originRefused`.
   */
  origin_not_allowed: 403,
  /**
   * There is no such route.
   *
   * Set the widget's `baseUrl` to the path at which the handler is mounted, and let proxies pass on everything below it, with GET and POST.
   */
  not_found: 404,
  /**
   * The order has none of the payments that this browser knows. `resume` throws it, too.
   *
   * Nothing is wrong: the browser has stored nothing for this order. Show the checkout instead, or say that the shop will confirm.
   */
  session_unknown: 404,
  /**
   * The route exists, but not for this method; `Allow` names the one that it takes.
   *
   * Mount the handler for all methods: GET, HEAD, POST and OPTIONS.
   */
  method_not_allowed: 405,
  /**
   * The body is larger than 64 kB.
   *
   * Send an order id in `body`, not the whole cart.
   */
  payload_too_large: 413,
  /**
   * The body is not JSON.
   *
   * Send `Content-Type: application/json`. The widget does so; a proxy may have changed it.
   */
  unsupported_media_type: 415,
  /**
   * Too many requests for this order, payment or client; `Retry-After` says when to try again.
   *
   * The widget waits and tries again. If many shoppers are refused, they share one address: set `clientKey` behind a proxy, or raise the limit.
   */
  rate_limited: 429,
  /**
   * The merchant's server failed; `onLog` receives the cause.
   *
   * Read the cause in the log: `getOrder` or the store has thrown. Without `onLog` it is written to the console.
   */
  internal_error: 500,
  /**
   * The payments service refused the request; `onLog` receives the cause.
   *
   * Read the cause, a `PaymentsError`: usually the keys are of another environment, or the order has an amount or a currency that the service does not take.
   */
  service_rejected: 502,
  /**
   * The payments service cannot be reached; `Retry-After` says when to try again.
   *
   * The widget tries again by itself. If it lasts, check `baseUrl`, and the connection from your server to the service.
   */
  service_unavailable: 503,
  /**
   * An option is wrong; the message says what to pass instead.
   *
   * Correct the option that the message names. An attribute cannot name a server of another origin unless the page allows it.
   */
  invalid_options: undefined,
  /**
   * The checkout server cannot be reached.
   *
   * The widget tries again by itself. If it lasts, open `baseUrl` in the browser: the server is down, a policy of the page (`connect-src`) or CORS refuses the request, or a proxy closes held requests.
   */
  network_error: undefined,
  /**
   * The checkout server sent something that is not part of the contract.
   *
   * Something else responds at `baseUrl`, such as a login page, a router's fallback page or a proxy. Look at the response in the browser's network panel.
   */
  invalid_response: undefined,
  /**
   * A file of the widget could not be loaded, or the checkout could not be rendered; the message then has the payment's reference.
   *
   * Serve the whole folder `dist/browser`, and keep the files of earlier releases for some days. For a checkout that could not be rendered, see the error's `cause`.
   */
  load_failed: undefined,
  /**
   * The script tag runs in a browser that is older than the supported ones. No account was requested.
   *
   * Nothing is wrong with the page, which says so to the shopper: offer another way to pay, for example inside `<transfer-checkout>`, whose content is then shown.
   */
  browser_unsupported: undefined,
} as const satisfies Record<string, number | undefined>;

export type CheckoutErrorCode = keyof typeof checkoutErrorStatus;

export type CheckoutErrorOptions = {
  /** The underlying error, for logs. It is never sent to the browser. */
  cause?: unknown;
  /** Seconds to wait before repeating the request (RFC 9110, section 10.2.3). */
  retryAfterSeconds?: number | undefined;
};

/** The error class of the checkout, on the server and in the browser. `getOrder` throws `new CheckoutError('forbidden')` to refuse a request. */
export class CheckoutError extends Error {
  // `declare`, because builds for older browsers need helper functions for class fields.
  declare readonly name: 'CheckoutError';
  declare readonly code: CheckoutErrorCode;
  declare readonly retryAfterSeconds: number | undefined;

  constructor(code: CheckoutErrorCode, message: string = code, options: CheckoutErrorOptions = {}) {
    super(message, options);
    this.name = 'CheckoutError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Returns true for a CheckoutError from any entry of the package: a bundle may contain the class twice, so `instanceof` is not enough. */
export function isCheckoutError(error: unknown): error is CheckoutError {
  return (
    error instanceof Error &&
    error.name === 'CheckoutError' &&
    isCheckoutErrorCode((error as CheckoutError).code)
  );
}

/** Returns true for a code of the closed list. */
export function isCheckoutErrorCode(code: unknown): code is CheckoutErrorCode {
  return typeof code === 'string' && Object.keys(checkoutErrorStatus).includes(code);
}

/** The media type of error responses (RFC 9457). */
export const problemMediaType = 'application/problem+json';

/** The body of error responses (RFC 9457, section 3). */
export type Problem = {
  status: number;
  code: CheckoutErrorCode;
  /** The developer's message: what happened and what to do. */
  detail: string;
};
