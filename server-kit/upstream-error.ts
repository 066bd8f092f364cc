import { CheckoutError } from '../src/contract/index.ts';
import { PaymentsError } from './errors.ts';

const passing: ReadonlySet<string> = new Set([
  'connection_lost',
  'timeout',
  'rate_limited',
  'service_error',
  'aborted',
]);

/**
 * A failure of the payments service as the shopper's browser may learn it: whether trying again helps, and nothing
 * of what the service said. The whole error stays in `cause`, for the merchant's log.
 */
export function toCheckoutError(cause: unknown): CheckoutError {
  if (!(cause instanceof PaymentsError)) {
    return new CheckoutError('internal_error', 'The payment could not be processed.', { cause });
  }
  if (passing.has(cause.code)) {
    const retryAfterSeconds = Math.ceil(cause.retryAfterSeconds ?? 3);
    const message = 'The payments service cannot be reached at the moment; try again.';
    return new CheckoutError('service_unavailable', message, { cause, retryAfterSeconds });
  }
  return new CheckoutError(
    'service_rejected',
    'The payments service refused; the log of the server says why.',
    { cause },
  );
}
