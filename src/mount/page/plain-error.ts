import type { CheckoutError, CheckoutErrorCode } from '../../contract/index.ts';

/** Creates a `CheckoutError` without its class, which is in the widget's file and not in the script tag's. */
export const createPlainError = (code: CheckoutErrorCode, message: string, cause?: unknown): CheckoutError =>
  Object.assign(new Error(message), {
    name: 'CheckoutError' as const,
    code,
    retryAfterSeconds: undefined,
    cause,
  });
