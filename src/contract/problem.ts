import type { CheckoutErrorCode } from './errors.ts';

/** The media type of error responses (RFC 9457). */
export const problemMediaType = 'application/problem+json';

/** The body of error responses (RFC 9457, section 3). */
export type Problem = {
  status: number;
  code: CheckoutErrorCode;
  /** The developer's message: what happened and what to do. */
  detail: string;
};
