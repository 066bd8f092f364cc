import {
  CheckoutError,
  checkoutErrorStatus,
  contractHeaders,
  isCheckoutError,
  type Problem,
  problemMediaType,
} from '../../../src/contract/index.ts';
import type { PlainResponse } from './plain-http.ts';

/** The headers that a page reads and that are not CORS-safelisted. */
export const exposedHeaders = [
  'ETag',
  'Retry-After',
  'Preference-Applied',
  contractHeaders.serviceTime,
  contractHeaders.nextPoll,
];

/** Sent with every response: no cache may keep payment data, and no client may guess the type of a body. */
export const commonHeaders = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
} as const;

export const jsonResponse = (status: number, body: object, type = 'application/json'): PlainResponse => ({
  status,
  headers: { ...commonHeaders, 'content-type': type },
  body: JSON.stringify(body),
});

/** A 204 (RFC 9110, section 15.3.5). */
export const emptyResponse = (headers: Record<string, string> = {}): PlainResponse => ({
  status: 204,
  headers: { ...commonHeaders, ...headers },
  body: undefined,
});

/** Returns the error that a caller may see: any other error, or one whose code has no status, becomes `internal_error`. */
export function toRefusal(error: unknown): CheckoutError {
  if (isCheckoutError(error) && checkoutErrorStatus[error.code] !== undefined) return error;
  return new CheckoutError('internal_error', 'The server failed; its log says why.', { cause: error });
}

/** Returns an error as a response (RFC 9457), without its cause. */
export function toProblem({ code, message, retryAfterSeconds }: CheckoutError): PlainResponse {
  const status = checkoutErrorStatus[code] ?? 500;
  const problem: Problem = { status, code, detail: message };
  const response = jsonResponse(status, problem, problemMediaType);
  if (retryAfterSeconds !== undefined) response.headers['retry-after'] = String(retryAfterSeconds);
  // RFC 9110, section 11.6.1: a 401 names the accepted scheme.
  if (status === 401) {
    response.headers['www-authenticate'] = code === 'callback_unauthorized' ? 'Request-Signature' : 'Bearer';
  }
  return response;
}
