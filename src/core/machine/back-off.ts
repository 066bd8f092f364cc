import type { CheckoutError, CheckoutErrorCode } from '../../contract/index.ts';

const firstMs = 1000;
const longestMs = 30_000;
const longestRetryAfterMs = 120_000;

const transientCodes: readonly CheckoutErrorCode[] = [
  'network_error',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];

/** True for an error after which the same request can make sense by itself. */
export function isTransient({ code }: CheckoutError): boolean {
  return transientCodes.includes(code);
}

/** True for an error of a look after which looking again can make sense. */
export function isPassing(error: CheckoutError): boolean {
  // Networks between phone and shop answer for the server now and then (a sign-in page, a gateway's own HTML).
  return isTransient(error) || error.code === 'service_rejected' || error.code === 'invalid_response';
}

/**
 * How long to wait after the given number of failures in a row (1 or more), in milliseconds: exponential with full
 * jitter, so that the phones of a whole city do not come back at the same moment; never sooner than the server's
 * `Retry-After`, which is believed up to two minutes.
 */
export function backOffMs(failures: number, random: () => number, error: CheckoutError): number {
  const jittered = random() * Math.min(longestMs, firstMs * 2 ** failures);
  return Math.max(jittered, Math.min((error.retryAfterSeconds ?? 0) * 1000, longestRetryAfterMs));
}
