/**
 * Every error code of the checkout, with its HTTP status. The list is closed: the server and the widget use no other codes.
 * Codes without a status are never sent: the browser throws them, and functions of the server throw `invalid_options`.
 */
export const checkoutErrorStatus = {
  /** The body is not what the route takes. */
  invalid_request: 400,
  /** The page and the server use different major versions of the contract. */
  contract_unsupported: 400,
  /** The client secret is missing, wrong or expired, or the payment does not exist. */
  session_unauthorized: 401,
  /** A callback without a valid signature of the service, or too old. */
  callback_unauthorized: 401,
  /** The merchant's `createPayment` refused the caller. */
  forbidden: 403,
  /** The request came from a page of another site. */
  origin_not_allowed: 403,
  /** There is no such route. */
  not_found: 404,
  /** The order has none of the payments that this browser knows. `resume` throws it, too. */
  session_unknown: 404,
  /** The route exists, but not for this method; `Allow` names the one that it takes. */
  method_not_allowed: 405,
  /** The body is larger than 64 kB. */
  payload_too_large: 413,
  /** The body is not JSON. */
  unsupported_media_type: 415,
  /** Too many requests for this order, payment or client; `Retry-After` says when to try again. */
  rate_limited: 429,
  /** The merchant's server failed; `onLog` receives the cause. */
  internal_error: 500,
  /** The payments service refused the request; `onLog` receives the cause. */
  service_rejected: 502,
  /** The payments service cannot be reached; `Retry-After` says when to try again. */
  service_unavailable: 503,
  /** An option is wrong; the message says what to pass instead. */
  invalid_options: undefined,
  /** The checkout server cannot be reached. */
  network_error: undefined,
  /** The checkout server sent something that is not part of the contract. */
  invalid_response: undefined,
  /** A file of the widget could not be loaded, or the checkout could not be rendered; the message then has the payment's reference. */
  load_failed: undefined,
} as const satisfies Record<string, number | undefined>;

export type CheckoutErrorCode = keyof typeof checkoutErrorStatus;

export type CheckoutErrorOptions = {
  /** The underlying error, for logs. It is never sent to the browser. */
  cause?: unknown;
  /** Seconds to wait before repeating the request (RFC 9110, section 10.2.3). */
  retryAfterSeconds?: number | undefined;
};

/** The error class of the checkout, on the server and in the browser. `createPayment` throws `new CheckoutError('forbidden')` to refuse a request. */
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
