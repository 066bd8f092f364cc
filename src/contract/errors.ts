/**
 * Every way in which the checkout can refuse or fail, and the HTTP status that carries it.
 * The list is closed: a proxy sends no other code, and the widget invents none.
 * Codes without a status arise in the browser and never travel.
 */
export const checkoutErrorStatus = {
  invalid_request: 400,
  contract_unsupported: 400,
  session_unauthorized: 401,
  forbidden: 403,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  service_rejected: 502,
  service_unavailable: 503,
  invalid_options: undefined,
  network_error: undefined,
  invalid_response: undefined,
  load_failed: undefined,
  session_unknown: undefined,
} as const satisfies Record<string, number | undefined>;

/** One of the closed codes. */
export type CheckoutErrorCode = keyof typeof checkoutErrorStatus;

export type CheckoutErrorOptions = {
  /** What was thrown underneath. Kept for logs on this side; never sent over the wire. */
  cause?: unknown;
  /** How long to wait before the same request can make sense, in seconds (RFC 9110, section 10.2.3). */
  retryAfterSeconds?: number | undefined;
};

/**
 * The one error class of the checkout, on the server and in the browser.
 *
 * A merchant's `createPayment` throws `new CheckoutError('forbidden')` to refuse a caller.
 */
export class CheckoutError extends Error {
  // Declared here and set below: fields would need helpers in what is built for older browsers.
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

/**
 * True for a CheckoutError, whichever entry of the package its class came from: a bundle may hold the class twice, and
 * `instanceof` would know only one of them.
 */
export function isCheckoutError(error: unknown): error is CheckoutError {
  return (
    error instanceof Error &&
    error.name === 'CheckoutError' &&
    isCheckoutErrorCode((error as CheckoutError).code)
  );
}

/** True for a string that is one of the closed codes. */
export function isCheckoutErrorCode(code: unknown): code is CheckoutErrorCode {
  return typeof code === 'string' && Object.keys(checkoutErrorStatus).includes(code);
}
