import { describe, expect, it } from 'vitest';
import { PaymentsError, type PaymentsErrorCode, toCheckoutError } from '../../../server-kit/core/errors.ts';
import { isAboutPayment } from '../../../server-kit/engine/shell/reconciler.ts';

/** The error code that a browser gets for each failure of the service, and whether the service has refused this payment. */
const expected = {
  invalid_options: ['service_rejected', true],
  invalid_request: ['service_rejected', true],
  authentication_failed: ['service_rejected', false],
  not_found: ['service_rejected', true],
  reference_exists: ['service_rejected', true],
  conflict: ['service_rejected', true],
  rate_limited: ['service_unavailable', false],
  service_error: ['service_unavailable', false],
  connection_lost: ['service_unavailable', false],
  timeout: ['service_unavailable', false],
  aborted: ['service_unavailable', false],
  invalid_response: ['service_rejected', false],
} as const satisfies Record<PaymentsErrorCode, readonly [string, boolean]>;

describe('a failure of the service', () => {
  it.each(Object.entries(expected))(
    'becomes an error of the checkout, and is its cause: %s becomes %j',
    (code, [known, isRefused]) => {
      const cause = new PaymentsError(code as PaymentsErrorCode, 'with a secret');
      const error = toCheckoutError(cause);
      expect(error).toMatchObject({ code: known, cause });
      expect(error.message).not.toContain('secret');
      expect(isAboutPayment(error)).toBe(isRefused);
    },
  );

  it('has whole retryAfterSeconds, three by default', () => {
    const retryAfter = (retryAfterSeconds?: number) =>
      toCheckoutError(new PaymentsError('rate_limited', 'slow down', { retryAfterSeconds }))
        .retryAfterSeconds;
    expect([retryAfter(), retryAfter(4.2)]).toEqual([3, 5]);
  });

  it('is an internal error unless it is a PaymentsError', () => {
    const error = toCheckoutError(new Error('the store is away'));
    expect([error.code, isAboutPayment(error), isAboutPayment('x')]).toEqual([
      'internal_error',
      false,
      false,
    ]);
  });
});
