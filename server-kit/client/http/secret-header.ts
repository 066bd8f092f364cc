import { CheckoutError, contractHeaders } from '../../../src/contract/index.ts';
import type { PlainRequest } from './plain-http.ts';

type HeaderReader = Pick<PlainRequest, 'header'>;

/** Returns the bearer token of the `Authorization` header (RFC 6750, section 2.1), or an empty string if it has none. */
export function bearerToken({ header }: HeaderReader): string {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(header('authorization') ?? '')?.[1] ?? '';
}

/** Returns what a page sends in `Checkout-Secret`, or as an older widget's bearer token; an empty string if it sends neither. */
export const secretOf = (request: HeaderReader): string =>
  request.header(contractHeaders.secret) || bearerToken(request);

/** Returns the refusal of a read, which says why: a secret that is missing never arrived. */
export const unauthorized = (secret: string): CheckoutError =>
  new CheckoutError(
    'session_unauthorized',
    secret === ''
      ? 'The client secret is missing: the header Checkout-Secret did not arrive. A proxy may remove it.'
      : 'The client secret is wrong or too old, or the payment is gone; ask the server for the session again.',
  );

const pauseMs = 60_000;

/** Returns a function that reports a read without a secret, at most once a minute, because anybody can send one. */
export function createMissingSecretReport(
  now: () => number,
  report: (error: CheckoutError) => void,
): () => void {
  let nextAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() < nextAtMs) return;
    nextAtMs = now() + pauseMs;
    report(unauthorized(''));
  };
}
