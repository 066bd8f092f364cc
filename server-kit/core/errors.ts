import * as v from 'valibot';
import { CheckoutError, checkoutErrorStatus, isCheckoutError } from '../../src/contract/index.ts';
import { SignatureError } from './signature.ts';

/** Why a call to the payments service failed. The list is closed; the service's own code, which may be any text, is in `serviceCode`. */
export type PaymentsErrorCode =
  /** An option of the client or of the call is missing or wrong, as the call shows. Correct the option that the message names. */
  | 'invalid_options'
  /** Refused here or by the service (400, 422). Correct the fields that `params` names, as dotted paths. The same request fails again. */
  | 'invalid_request'
  /** The service refused the keys: 401 or 403. Check `apiKey`, `apiSecret`, the environment of `baseUrl` and the clock, or `authToken` for apps. `transfer-checkout verify request` names the difference in a signature. */
  | 'authentication_failed'
  /** 404 from the service itself: the record does not exist in this environment, or belongs to another account. Check the reference, and whether `baseUrl` and the keys belong together. */
  | 'not_found'
  /** The service already knows this reference. Verify the payment of that reference before you make another one: a lost response may have been yours (`isLikelyOwn`). */
  | 'reference_exists'
  /** Any other 409: the record is in a state that does not allow the call. Retrieve it and look at its status. */
  | 'conflict'
  /** 429, also after the retries. Wait for `retryAfterSeconds`, and make fewer calls. */
  | 'rate_limited'
  /** 5xx, 408 or 425, also after the retries. Try again later. A write may have been done: verify before you repeat it under another reference. */
  | 'service_error'
  /** The connection ended without a complete response. The service may have done the work: repeat the call with the same reference, or verify it. */
  | 'connection_lost'
  /** No complete response in time. As for `connection_lost`. If it happens often, measure the service before you raise `timeoutMs`. */
  | 'timeout'
  /** The caller's signal aborted. Nothing, if you aborted it. The service may have done the work. */
  | 'aborted'
  /** A response that does not match the interface, a redirect, or a 404 that is not from the service. Check that `baseUrl` is the address of the service and not of a page or a proxy. The message names the field that does not match. */
  | 'invalid_response';

/** A failed call to the payments service. It never contains a secret, unless your own `fetch` throws one: `cause` is its error. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  readonly code!: PaymentsErrorCode;
  /** The endpoint, such as `payments.verify`. */
  readonly operation: string | undefined;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** The service's `error.code`. */
  readonly serviceCode: string | undefined;
  /** The parameters at fault, as dotted paths. */
  readonly params: readonly string[] = [];
  /** The service's `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** How many times the call was sent. */
  attempts = 0;
  /** An earlier attempt got no response, so this call may have created the record itself. Verify the reference, or use another one. */
  isLikelyOwn = false;

  constructor(code: PaymentsErrorCode, message: string, details: Partial<PaymentsError> = {}) {
    const { cause, ...more } = details;
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { code, ...more });
  }
}

/** Whether the service may or may not have done the work. */
export const isUncertain = ({ code }: PaymentsError): boolean =>
  ['connection_lost', 'timeout', 'service_error'].includes(code);
export const isTransient = (error: PaymentsError): boolean =>
  error.code === 'rate_limited' || isUncertain(error);
/** Whether the service refused the request itself. A 401, like a 429, says nothing about that. */
export const isRefusal = (error: PaymentsError): boolean =>
  Math.floor((error.status ?? 0) / 100) === 4 && error.status !== 401 && !isTransient(error);

/** Whether the reference is used up. The interface does not say how a used one is refused, so any refusal of a payment that may exist counts. */
export function isResponseLost(error: unknown, mayExist = false): error is PaymentsError {
  if (!(error instanceof PaymentsError)) return false;
  const isUnreadable = error.code === 'invalid_response' && error.status !== undefined && error.status < 300;
  if (error.code === 'reference_exists' || isUnreadable) return true;
  return (mayExist || error.isLikelyOwn) && isRefusal(error);
}

/** Interface, section 7. */
export const ErrorEnvelope = v.looseObject({
  error: v.looseObject({
    type: v.fallback(v.string(), 'api_error'),
    code: v.fallback(v.string(), 'unknown'),
    message: v.fallback(v.string(), ''),
    params: v.fallback(v.array(v.string()), []),
  }),
});
export type ErrorEnvelope = v.InferOutput<typeof ErrorEnvelope>;

const controls = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes the control characters of a text from outside, for a log or a terminal: `\u001b`. */
export const escapeControls = (text: string): string =>
  text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Parses the body of an error without our secrets, which a service may quote; `undefined` if it is not one of the service. */
export function parseServiceError(text: string, secrets: readonly string[]) {
  // The longest first, because one secret may begin with another.
  const longestFirst = secrets.toSorted((left, right) => right.length - left.length);
  const redact = (quoted: string): string =>
    longestFirst.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), quoted);
  const clean = (_: string, value: unknown) =>
    typeof value === 'string' ? escapeControls(redact(value)) : value;
  try {
    return v.parse(ErrorEnvelope, JSON.parse(text, clean)).error;
  } catch {
    return undefined;
  }
}

/** Returns the code of a response with status 400 or above (interface, section 7). */
export function codeOf(
  status: number,
  error: ReturnType<typeof parseServiceError>,
  hasReference: boolean,
): PaymentsErrorCode {
  const isDuplicate = [400, 409, 422].includes(status) && error?.type === 'idempotency_error';
  const isAboutReference = isDuplicate || (status === 409 && error?.params.includes('reference'));
  if (hasReference && isAboutReference) return 'reference_exists';
  if (status === 401 || status === 403) return 'authentication_failed';
  // A gateway's 404 must not be taken for "there is no such payment".
  if (status === 404) return error === undefined ? 'invalid_response' : 'not_found';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate_limited';
  return status >= 500 || status === 408 || status === 425 ? 'service_error' : 'invalid_request';
}

/** Returns the error that a shopper's browser may see. `cause` keeps the original, for the merchant's log. */
export function toCheckoutError(cause: unknown): CheckoutError {
  if (isCheckoutError(cause) && checkoutErrorStatus[cause.code] !== undefined) return cause;
  if (cause instanceof SignatureError)
    return new CheckoutError('callback_unauthorized', cause.message, { cause });
  if (!(cause instanceof PaymentsError))
    return new CheckoutError('internal_error', 'The server failed; its log says why.', { cause });
  // The next call does not share the signal of this one.
  if (isTransient(cause) || cause.code === 'aborted') {
    const retryAfterSeconds = Math.ceil(cause.retryAfterSeconds ?? 3);
    const message = 'The payments service cannot be reached at the moment; try again.';
    return new CheckoutError('service_unavailable', message, { cause, retryAfterSeconds });
  }
  const message = 'The payments service refused the request; see the server log for the reason.';
  return new CheckoutError('service_rejected', message, { cause });
}
