import type { ErrorEnvelope } from './error-envelope.ts';

/**
 * Why a call to the payments service failed. The list is closed; the service's own code, which may be any text, is in
 * `serviceCode`.
 */
export type PaymentsErrorCode =
  /**
   * A call has found an option of the client missing or wrong: `authToken`, `liveMode`, `now` or `wait`.
   *
   * Correct the option that the message names. Options that are wrong when they are passed are a `CheckoutError`.
   */
  | 'invalid_options'
  /**
   * Refused here or by the service (400, 422); `params` has the dotted paths at fault.
   *
   * Correct the fields that `params` names. The same request fails again.
   */
  | 'invalid_request'
  /**
   * The service refused the keys: 401 or 403.
   *
   * Check `apiKey`, `apiSecret`, the environment of `baseUrl` and the clock, or `authToken` for apps. `transfer-checkout verify request` names the difference in a signature.
   */
  | 'authentication_failed'
  /**
   * 404 from the service itself.
   *
   * The record does not exist in this environment, or belongs to another account. Check the reference, and whether `baseUrl` and the keys belong together.
   */
  | 'not_found'
  /**
   * The service already knows this reference.
   *
   * Verify the payment of that reference before you make another one: a lost response may have been yours (`isLikelyOwn`).
   */
  | 'reference_exists'
  /**
   * Any other 409.
   *
   * The record is in a state that does not allow the call. Retrieve it and look at its status.
   */
  | 'conflict'
  /**
   * 429, also after the retries.
   *
   * Wait for `retryAfterSeconds`, and make fewer calls: `maxVerificationsPerSecond` is the checkout's own share.
   */
  | 'rate_limited'
  /**
   * 5xx, 408 or 425, also after the retries.
   *
   * Try again later. A write may have been done: verify before you repeat it under another reference.
   */
  | 'service_error'
  /**
   * The connection ended without a complete response.
   *
   * The service may or may not have done the work: repeat the call with the same reference, or verify it.
   */
  | 'connection_lost'
  /**
   * No complete response in time.
   *
   * As for `connection_lost`. If it happens often, measure the service before you raise `timeoutMs`.
   */
  | 'timeout'
  /**
   * The caller's signal aborted.
   *
   * Nothing, if you aborted it. The service may have done the work.
   */
  | 'aborted'
  /**
   * A response that does not match the interface, a redirect, or a 404 that is not from the service.
   *
   * Check that `baseUrl` is the address of the service and not of a page or a proxy. The message names the field that does not match.
   */
  | 'invalid_response';

export type PaymentsErrorDetails = {
  /** The endpoint, such as `payments.verify`. */
  operation?: string;
  /** The HTTP status, if there was a response. */
  status?: number;
  /** The service's `error.code`. */
  serviceCode?: string;
  /** The parameters at fault, as dotted paths. */
  params?: readonly string[];
  /** How many times the call was sent. */
  attempts?: number;
  /** The service's `Retry-After`, in seconds. */
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/**
 * A failed call to the payments service. It never contains a secret, unless your own `fetch` throws one: `cause` is its
 * error, unchanged.
 */
export class PaymentsError extends Error {
  override readonly name: string = 'PaymentsError';
  readonly code: PaymentsErrorCode;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly serviceCode: string | undefined;
  readonly params: readonly string[];
  readonly retryAfterSeconds: number | undefined;
  attempts: number;
  /**
   * An earlier attempt of this call got no response, so this call may have created the record itself, whatever this error says. Verify
   * the reference, or leave it alone and use another one.
   */
  isLikelyOwn = false;

  constructor(code: PaymentsErrorCode, message: string, details: PaymentsErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.operation = details.operation;
    this.status = details.status;
    this.serviceCode = details.serviceCode;
    this.params = details.params ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.attempts = details.attempts ?? 0;
  }
}

/** The service's `api_error`: a failure on its side. Also used for undocumented types. */
export class ApiError extends PaymentsError {
  override readonly name = 'ApiError';
}

/** The service's `authentication_error`. */
export class AuthenticationError extends PaymentsError {
  override readonly name = 'AuthenticationError';
}

/** The service's `idempotency_error`: the reference was used before. */
export class IdempotencyError extends PaymentsError {
  override readonly name = 'IdempotencyError';
}

/** The service's `invalid_request_error`; `params` names the parameters at fault. */
export class InvalidRequestError extends PaymentsError {
  override readonly name = 'InvalidRequestError';
}

const passingCodes: ReadonlySet<PaymentsErrorCode> = new Set([
  'connection_lost',
  'timeout',
  'rate_limited',
  'service_error',
]);

/**
 * Whether the service may have created the payment, and nothing returns its account: the reference must not be used again. What the
 * refusal of a used reference looks like is not stated (interface, section 7), so it is any refusal of a payment that may exist.
 *
 * @param mayExist whether an earlier call or attempt got no response
 */
export function isResponseLost(error: unknown, mayExist = false): error is PaymentsError {
  if (!(error instanceof PaymentsError)) return false;
  const { code, status = 0, isLikelyOwn } = error;
  if (code === 'reference_exists' || (code === 'invalid_response' && status >= 200 && status < 300))
    return true;
  return (mayExist || isLikelyOwn) && isRefusal(error);
}

/** Whether the service has refused what was asked. A 401, like a 429, says nothing about that. */
export const isRefusal = (error: PaymentsError): boolean => {
  const { status = 0 } = error;
  return status >= 400 && status < 500 && status !== 401 && !isTransient(error);
};

/** Whether the same call may succeed later, unchanged. */
export const isTransient = ({ code }: PaymentsError): boolean => passingCodes.has(code);

/** Creates the error of a call that its caller aborted. */
export const abortedError = (operation: string, cause: unknown, attempts = 0): PaymentsError =>
  new PaymentsError('aborted', `${operation} was aborted by its caller.`, { operation, attempts, cause });

/** A map, because the keys come from the service: an object would also find `constructor`. */
const classByType: ReadonlyMap<string, typeof PaymentsError> = new Map<string, typeof PaymentsError>([
  ['api_error', ApiError],
  ['authentication_error', AuthenticationError],
  ['idempotency_error', IdempotencyError],
  ['invalid_request_error', InvalidRequestError],
]);

type ErrorResponse = {
  operation: string;
  status: number;
  /** `undefined` if the body was not an error envelope. */
  error: ErrorEnvelope['error'] | undefined;
  /** Whether the request carried one of our references, so that the error may be about it. */
  hasReference: boolean;
  retryAfterSeconds: number | undefined;
};

/** Creates the error of a response with status 400 or above (interface, section 7), whatever its body. */
export function errorFromResponse({
  operation,
  status,
  error,
  hasReference,
  retryAfterSeconds,
}: ErrorResponse): PaymentsError {
  const ErrorClass = classByType.get(error?.type ?? '') ?? ApiError;
  const reason = error?.message || 'the body is not an error of the service; check baseUrl';
  const code =
    hasReference && isAboutReference(status, error) ? 'reference_exists' : codeForStatus(status, error);
  return new ErrorClass(code, `${operation} failed with ${status}: ${reason}`, {
    operation,
    status,
    params: error?.params ?? [],
    retryAfterSeconds,
    ...(error && { serviceCode: error.code }),
  });
}

function isAboutReference(status: number, error: ErrorResponse['error']): boolean {
  const isRefused = status === 400 || status === 409 || status === 422;
  if (isRefused && error?.type === 'idempotency_error') return true;
  return status === 409 && error?.params.includes('reference') === true;
}

function codeForStatus(status: number, error: ErrorResponse['error']): PaymentsErrorCode {
  if (status === 401 || status === 403) return 'authentication_failed';
  // A gateway's 404 must not be taken for "there is no such payment".
  if (status === 404) return error === undefined ? 'invalid_response' : 'not_found';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate_limited';
  return status >= 500 || status === 408 || status === 425 ? 'service_error' : 'invalid_request';
}
