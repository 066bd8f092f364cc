import { contractHeaders } from '../../../src/contract/index.ts';
import { isSameOrigin } from '../../http/same-origin.ts';

export type OriginsOptions = {
  publicUrl: URL;
  /** Origins of other pages that may ask: `https://www.shop.example`. */
  allowedOrigins: readonly string[];
  /** Whether pages of other origins may send cookies. */
  allowCredentials: boolean;
};

/** Whose pages may ask the checkout, and how a browser is told (Fetch standard, section 3.3, "CORS protocol"). */
export type Origins = {
  /** Whether a request comes from a page that may make sessions: one of this site, or of an allowed origin. */
  isAllowed: (origin: string | undefined, requestUrl: URL) => boolean;
  /** The headers by which a browser lets a page of this origin read an answer. */
  headersFor: (origin: string | undefined) => Record<string, string>;
  /** Those of an answer to a preflight request; `undefined` where the origin is not allowed. */
  preflightHeadersFor: (origin: string | undefined, method: string) => Record<string, string> | undefined;
};

/** What a page sends beyond what every page may. */
const requestHeaders = ['Authorization', 'Content-Type', 'Prefer', 'If-None-Match', 'Checkout-Contract'];

/** What a page has to read beyond what every page may. */
const answerHeaders = [
  'ETag',
  'Retry-After',
  'Preference-Applied',
  contractHeaders.serviceTime,
  contractHeaders.nextPoll,
];

/** The longest that any browser remembers. */
const maxAgeSeconds = 7200;

export function createOrigins({ publicUrl, allowedOrigins, allowCredentials }: OriginsOptions): Origins {
  const known = new Set([publicUrl.origin, ...allowedOrigins.map((origin) => new URL(origin).origin)]);

  const isKnown = (origin: string | undefined): origin is string => origin !== undefined && known.has(origin);

  const headersFor: Origins['headersFor'] = (origin) => {
    // Also where nobody is let in: a cache must not give one origin's answer to another.
    const vary = { vary: 'Origin' };
    if (!isKnown(origin)) return vary;
    return {
      ...vary,
      'access-control-allow-origin': origin,
      'access-control-expose-headers': answerHeaders.join(', '),
      ...(allowCredentials && { 'access-control-allow-credentials': 'true' }),
    };
  };

  return {
    headersFor,
    isAllowed: (origin, requestUrl) => isSameOrigin(origin, requestUrl, publicUrl) || isKnown(origin),
    preflightHeadersFor: (origin, method) =>
      isKnown(origin)
        ? {
            ...headersFor(origin),
            'access-control-allow-methods': method,
            'access-control-allow-headers': requestHeaders.join(', '),
            'access-control-max-age': String(maxAgeSeconds),
          }
        : undefined,
  };
}
