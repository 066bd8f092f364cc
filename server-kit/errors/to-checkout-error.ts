import { CheckoutError } from '../../src/contract/index.ts';
import { isTransient, PaymentsError } from './payments-error.ts';

/**
 * A failure of the payments service as the shopper's browser may learn it: whether trying again helps, and nothing
 * of what the service said. The whole error stays in `cause`, for the merchant's log.
 */
export function toCheckoutError(cause: unknown): CheckoutError {
  if (!(cause instanceof PaymentsError)) {
    return new CheckoutError('internal_error', 'The payment could not be processed.', { cause });
  }
  // Who has aborted this call has not aborted the next one.
  if (isTransient(cause) || cause.code === 'aborted') {
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
