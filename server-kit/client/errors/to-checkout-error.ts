import { CheckoutError, isCheckoutError } from '../../../src/contract/index.ts';
import { isTransient, PaymentsError } from './payments-error.ts';

/**
 * Converts a failure of the payments service for the shopper's browser: it says whether to try again, and nothing that the
 * service said. `cause` keeps the original, for the merchant's log.
 */
export function toCheckoutError(cause: unknown): CheckoutError {
  if (!(cause instanceof PaymentsError)) {
    return new CheckoutError('internal_error', 'The payment could not be processed.', { cause });
  }
  // The next call does not share the signal of this one.
  if (isTransient(cause) || cause.code === 'aborted') {
    const retryAfterSeconds = Math.ceil(cause.retryAfterSeconds ?? 3);
    const message = 'The payments service cannot be reached at the moment; try again.';
    return new CheckoutError('service_unavailable', message, { cause, retryAfterSeconds });
  }
  return new CheckoutError(
    'service_rejected',
    'The payments service refused the request; see the server log for the reason.',
    { cause },
  );
}

/** Whether the service has refused this payment. Rejected credentials and unreadable responses are temporary. */
export function isAboutPayment(error: unknown): boolean {
  if (!isCheckoutError(error) || error.code !== 'service_rejected') return false;
  const { cause } = error;
  if (!(cause instanceof PaymentsError)) return true;
  return cause.code !== 'authentication_failed' && cause.code !== 'invalid_response';
}
