import {
  CheckoutError,
  checkoutErrorStatus,
  isCheckoutError,
  type Problem,
  problemMediaType,
} from '../../src/contract/index.ts';
import type { PlainResponse } from '../http/plain-http.ts';
import { commonHeaders } from './responses.ts';

/** Returns the error that a caller may see: any other error, or one whose code has no status, becomes `internal_error`. */
export function toRefusal(error: unknown): CheckoutError {
  if (isCheckoutError(error) && checkoutErrorStatus[error.code] !== undefined) return error;
  return new CheckoutError('internal_error', 'The server failed; its log says why.', {
    cause: error,
  });
}

/** Returns an error as a response (RFC 9457), without its cause. */
export function toProblem({ code, message, retryAfterSeconds }: CheckoutError): PlainResponse {
  const status = checkoutErrorStatus[code] ?? 500;
  const problem: Problem = { status, code, detail: message };
  const headers: Record<string, string> = { ...commonHeaders, 'content-type': problemMediaType };
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  // RFC 9110, section 11.6.1: a 401 names the accepted scheme.
  if (status === 401) {
    headers['www-authenticate'] = code === 'callback_unauthorized' ? 'Request-Signature' : 'Bearer';
  }
  return { status, headers, body: JSON.stringify(problem) };
}
