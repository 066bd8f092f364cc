import { describe, expect, it } from 'vitest';
import { PaymentsError, type PaymentsErrorCode } from '../../../server-kit/errors/payments-error.ts';
import { toCheckoutError } from '../../../server-kit/errors/to-checkout-error.ts';

/** The error code that a browser gets for each failure of the service. */
const expectedCodes = {
  invalid_options: 'service_rejected',
  invalid_request: 'service_rejected',
  authentication_failed: 'service_rejected',
  not_found: 'service_rejected',
  reference_exists: 'service_rejected',
  conflict: 'service_rejected',
  rate_limited: 'service_unavailable',
  service_error: 'service_unavailable',
  connection_lost: 'service_unavailable',
  timeout: 'service_unavailable',
  aborted: 'service_unavailable',
  invalid_response: 'service_rejected',
} as const satisfies Record<PaymentsErrorCode, string>;

describe('a failure of the service', () => {
  it.each(Object.entries(expectedCodes))('that is %s becomes %s, and is its cause', (code, expected) => {
    const cause = new PaymentsError(code as PaymentsErrorCode, 'with a secret');
    const error = toCheckoutError(cause);
    expect(error).toMatchObject({ code: expected, cause });
    expect(error.message).not.toContain('secret');
  });

  it('has whole retryAfterSeconds, three by default', () => {
    const retryAfter = (retryAfterSeconds?: number) =>
      toCheckoutError(new PaymentsError('rate_limited', 'slow down', { retryAfterSeconds }))
        .retryAfterSeconds;
    expect([retryAfter(), retryAfter(4.2)]).toEqual([3, 5]);
  });

  it('that is not a PaymentsError is an internal error', () => {
    expect(toCheckoutError(new Error('the store is away'))).toMatchObject({ code: 'internal_error' });
  });
});
