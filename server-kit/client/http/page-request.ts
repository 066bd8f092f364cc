import {
  CheckoutError,
  contractHeaders,
  contractVersion,
  type PaymentPreference,
  parseStoredPaymentsToken,
  type StoredPayment,
} from '../../../src/contract/index.ts';
import { resemblesClientSecret } from '../signing/client-secret.ts';
import type { PlainRequest } from './plain-http.ts';
import { bearerToken, secretOf } from './secret-header.ts';

/**
 * A request without the header counts as version 1, the first.
 *
 * @throws {CheckoutError} `contract_unsupported`
 */
export function refuseOtherContract(request: PlainRequest): void {
  const version = request.header(contractHeaders.version) ?? '1';
  if (version !== String(contractVersion)) {
    const detail = `This server speaks contract ${contractVersion}, the page requested ${version}; update the older of the two.`;
    throw new CheckoutError('contract_unsupported', detail);
  }
}

/**
 * Returns the payments that a token names, the last used first. A token is ours if at least one of its parts is a reference with a text
 * that begins as client secrets do; parts of any other form are ignored.
 */
const namedIn = (token: string): StoredPayment[] =>
  parseStoredPaymentsToken(token).filter(({ clientSecret }) => resemblesClientSecret(clientSecret));

/** Returns the payments that a page names, the last used first. */
export const namedPaymentsOf = (request: PlainRequest): StoredPayment[] => namedIn(secretOf(request));

/**
 * Returns the headers for the merchant's own code: without those that name payments. Every `Authorization` that names none (Basic, a JWT,
 * a key) is the merchant's own.
 */
export function headersOfPage(request: PlainRequest): Headers {
  // A copy, because the headers of a web `Request` are the caller's.
  const others = new Headers(request.headers());
  others.delete(contractHeaders.secret);
  if (namedIn(bearerToken(request)).length > 0) others.delete('authorization');
  return others;
}

/** Parses `Prefer: payment=new` or `existing`, also beside other preferences (RFC 7240, section 2). */
export function preferenceOf(request: PlainRequest): PaymentPreference | undefined {
  const [, value] =
    /(?:^|,)\s*payment\s*=\s*"?(new|existing)"?\s*(?:[,;]|$)/i.exec(request.header('prefer') ?? '') ?? [];
  return value?.toLowerCase() as PaymentPreference | undefined;
}

/** Returns the last two segments of a path, the last one first, as they are encoded. */
export function lastSegments({ pathname }: URL): [string, string | undefined] {
  const [last = '', beforeLast] = pathname.replace(/\/$/, '').split('/').reverse();
  return [last, beforeLast];
}

/** Returns the reference at the end of a path, decoded. */
export function referenceIn(url: URL): string {
  const [last] = lastSegments(url);
  try {
    return decodeURIComponent(last);
  } catch {
    // The undecoded text is a reference that does not exist.
    return last;
  }
}
