import { isTransient, type PaymentsError } from '../errors/payments-error.ts';

export type RetryPolicy = {
  /** How many times a call is sent again after a transient failure. Default: 3. */
  maxRetries: number;
  /** The longest first pause, in milliseconds; it doubles with each retry. Default: 250. */
  baseDelayMs: number;
  /** The longest pause, in milliseconds; a longer `Retry-After` ends the retries. Default: 8000. */
  maxDelayMs: number;
};

export const defaultRetryPolicy: RetryPolicy = { maxRetries: 3, baseDelayMs: 250, maxDelayMs: 8000 };

/**
 * Returns the pause before the next attempt, in milliseconds, or `undefined` if there must be none: the failure is not
 * transient, the retries are used up, or the service asks for a longer wait than the policy allows. Pauses have full
 * jitter, so that servers that failed together do not retry together.
 *
 * @param retries how many retries were made so far
 */
export function retryDelayMs(
  error: PaymentsError,
  retries: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (!isTransient(error) || retries >= policy.maxRetries) return undefined;
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** retries);
  const requestedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (requestedMs > policy.maxDelayMs) return undefined;
  return Math.min(requestedMs + random() * ceiling, policy.maxDelayMs);
}

/**
 * Parses `Retry-After` (RFC 9110, section 10.2.3), seconds or a date. Returns seconds from `nowMs`, or `undefined` if it is
 * missing or malformed.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  // HTTP dates begin with the day of the week; `Date.parse` would also read "-1" as a year.
  const date = /^\s*[A-Z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000);
}
