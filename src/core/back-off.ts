import type { CheckoutError, CheckoutErrorCode } from '../contract/index.ts';

const baseMs = 1000;
const longestMs = 30_000;
const longestRetryAfterMs = 120_000;

const transientCodes: readonly CheckoutErrorCode[] = [
  'network_error',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];

type Failure = Pick<CheckoutError, 'code'>;

export function isTransient({ code }: Failure): boolean {
  return transientCodes.includes(code);
}

/** Returns true where the server itself has responded that it cannot check now: the shopper's connection is not to blame. */
export function isServerFailure({ code }: CheckoutError): boolean {
  return code !== 'network_error' && code !== 'invalid_response';
}

export function canRetry(error: Failure): boolean {
  // Networks sometimes respond instead of the server: with a sign-in page, or a gateway's own HTML.
  return isTransient(error) || error.code === 'service_rejected' || error.code === 'invalid_response';
}

export function backOffMs(failures: number, random: () => number, error: CheckoutError): number {
  const jittered = random() * Math.min(longestMs, baseMs * 2 ** failures);
  return Math.max(jittered, Math.min((error.retryAfterSeconds ?? 0) * 1000, longestRetryAfterMs));
}
