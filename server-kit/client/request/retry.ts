import { isTransient, type PaymentsError } from '../../errors/payments-error.ts';

export type RetryPolicy = {
  /** How often a call is sent again after a failure that may pass. */
  maxRetries: number;
  /** The ceiling of the first pause; it doubles with each further one. */
  baseDelayMs: number;
  /** The longest pause, and the longest `Retry-After` that is waited for. */
  maxDelayMs: number;
};

export const defaultRetryPolicy: RetryPolicy = { maxRetries: 3, baseDelayMs: 250, maxDelayMs: 8000 };

/**
 * The pause before the next attempt in milliseconds, or `undefined` when there must be none: the failure would not
 * pass, the retries are used up, or the service asks for a longer wait than the policy allows. Pauses are drawn
 * from the whole interval ("full jitter"), so that servers that failed together do not come back together.
 *
 * @param retries how many retries have been made
 */
export function retryDelayMs(
  error: PaymentsError,
  retries: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (!isTransient(error) || retries >= policy.maxRetries) return undefined;
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** retries);
  const asked = (error.retryAfterSeconds ?? 0) * 1000;
  if (asked > policy.maxDelayMs) return undefined;
  return Math.min(asked + random() * ceiling, policy.maxDelayMs);
}

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, as seconds from `nowMs`; `undefined` where it is
 * missing or unreadable.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  // Every HTTP date begins with a day of the week; `Date.parse` takes "-1" for a year too.
  const date = /^\s*[A-Z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000);
}
