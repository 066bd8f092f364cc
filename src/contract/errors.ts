/**
 * Every error code of the checkout, with its HTTP status. The list is closed: the server and the widget use no other codes.
 * Codes without a status occur only in the browser.
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
