import type { ErrorEnvelope } from './error-envelope.ts';

/**
 * What went wrong with a call to the payments service. The list is closed; the service's own word, which is not,
 * stands in `serviceCode`.
 *
 * - `invalid_options`: an option of the client or of a call; nothing was sent
 * - `invalid_request`: refused here or by the service (400, 422); `params` names what is at fault, as a dotted path
 * - `authentication_failed`: 401 or 403; check `apiKey`, `apiSecret` and the clock, or `authToken` for apps
 * - `not_found`: 404, said by the service itself
 * - `reference_exists`: the service knows the reference of this request already; see `isLikelyOwn`
 * - `conflict`: any other 409
 * - `rate_limited`: 429, also after the retries
 * - `service_error`: 5xx, 408 or 425, also after the retries
 * - `connection_lost`, `timeout`: no whole answer came; whether the service did the work is not known
 * - `aborted`: the caller's signal
 * - `invalid_response`: an answer that is not what the interface says, a redirect, or a 404 that the service did not make
 */
export type PaymentsErrorCode =
  | 'invalid_options'
  | 'invalid_request'
  | 'authentication_failed'
  | 'not_found'
  | 'reference_exists'
  | 'conflict'
  | 'rate_limited'
  | 'service_error'
  | 'connection_lost'
  | 'timeout'
  | 'aborted'
  | 'invalid_response';

export type PaymentsErrorDetails = {
  /** The endpoint that was called, such as `payments.verify`. */
  operation?: string;
  /** The HTTP status, where there was an answer. */
  status?: number;
  /** The service's own `error.code`. */
  serviceCode?: string;
  /** The parameters at fault. */
  params?: readonly string[];
  /** How often the call was sent. */
  attempts?: number;
  /** What the service asked for in `Retry-After`, in seconds. */
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/**
 * Any failure of a call to the payments service. Never holds a secret, unless a `fetch` of your own throws one: what it
 * throws is the `cause`, as it is.
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
   * Of `reference_exists`: an earlier attempt of this very call had no answer, so that what has the reference is most likely
   * this call's own work. Verify it before another reference is used.
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

/** The service's `api_error`: it failed on its own side. Also the class of types that are not documented. */
export class ApiError extends PaymentsError {
  override readonly name = 'ApiError';
}

/** The service's `authentication_error`. */
export class AuthenticationError extends PaymentsError {
  override readonly name = 'AuthenticationError';
}

/** The service's `idempotency_error`: this reference was used before. */
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

/** Whether the same call can succeed later, with nothing changed. */
export const isTransient = ({ code }: PaymentsError): boolean => passingCodes.has(code);

/** The error for a call that its own caller ended. */
export const abortedError = (operation: string, cause: unknown, attempts = 0): PaymentsError =>
  new PaymentsError('aborted', `${operation} was aborted by its caller.`, { operation, attempts, cause });

/** A map, because the service's own text is looked up in it: an object would also find `constructor`. */
const classByType: ReadonlyMap<string, typeof PaymentsError> = new Map<string, typeof PaymentsError>([
  ['api_error', ApiError],
  ['authentication_error', AuthenticationError],
  ['idempotency_error', IdempotencyError],
  ['invalid_request_error', InvalidRequestError],
]);

type ErrorResponse = {
  operation: string;
  status: number;
  /** The error of the envelope, or `undefined` where the body was no envelope. */
  error: ErrorEnvelope['error'] | undefined;
  /** Whether the request carried a reference of ours, so that an error may speak of it. */
  hasReference: boolean;
  retryAfterSeconds: number | undefined;
};

/** The error for an answer of 400 and above (interface, section 7), also when its body says nothing. */
export function errorFromResponse({
  operation,
  status,
  error,
  hasReference,
  retryAfterSeconds,
}: ErrorResponse): PaymentsError {
  const ErrorClass = classByType.get(error?.type ?? '') ?? ApiError;
  const said = error?.message || 'the answer was not in the form of an error of the service; check baseUrl';
  const code =
    hasReference && isAboutReference(status, error) ? 'reference_exists' : codeForStatus(status, error);
  return new ErrorClass(code, `${operation} was answered with ${status}: ${said}`, {
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
  // A gateway knows nothing of payments: its 404 must not be taken for "there is none".
  if (status === 404) return error === undefined ? 'invalid_response' : 'not_found';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate_limited';
  return status >= 500 || status === 408 || status === 425 ? 'service_error' : 'invalid_request';
}
