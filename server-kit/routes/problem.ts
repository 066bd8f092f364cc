import {
  CheckoutError,
  checkoutErrorStatus,
  isCheckoutError,
  type Problem,
  problemMediaType,
} from '../../src/contract/index.ts';
import type { PlainResponse } from '../http/plain-http.ts';
import { answerHeaders } from './response-headers.ts';

/** What a caller is told of an error: what is not a CheckoutError, or has a code that never travels, is `internal_error`. */
export function toRefusal(error: unknown): CheckoutError {
  if (isCheckoutError(error) && checkoutErrorStatus[error.code] !== undefined) return error;
  return new CheckoutError('internal_error', 'The server could not answer; its log says why.', {
    cause: error,
  });
}

/** An error as an answer (RFC 9457). The cause stays here. */
export function toProblem({ code, message, retryAfterSeconds }: CheckoutError): PlainResponse {
  const status = checkoutErrorStatus[code] ?? 500;
  const problem: Problem = { status, code, detail: message };
  const headers: Record<string, string> = { ...answerHeaders, 'content-type': problemMediaType };
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  // RFC 9110, section 11.6.1: a 401 names the scheme that would do.
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return { status, headers, body: JSON.stringify(problem) };
}
