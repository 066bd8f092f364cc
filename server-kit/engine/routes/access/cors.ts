import { contractHeaders, parseWebUrl } from '../../../../src/contract/index.ts';
import { exposeHeaders } from '../../../core/http.ts';
import type { Log } from '../../telemetry/log.ts';

/** The headers that a page sends and that are not CORS-safelisted. */
const requestHeaders = [
  contractHeaders.secret,
  // Older widgets send the secret in this one.
  'Authorization',
  'Content-Type',
  'Prefer',
  'If-None-Match',
  contractHeaders.version,
];

/** The longest time that any browser accepts. */
const maxAgeSeconds = 7200;

/** Longer origins are truncated in the log. */
const maxShownOrigin = 300;

export type Origins = ReturnType<typeof createOrigins>;

/** Creates the rules of which pages may call the checkout, and the headers that say so (Fetch standard, section 3.3, "CORS protocol"). */
export function createOrigins(publicUrl: URL, allowedOrigins: readonly string[], log: Log) {
  const known = new Set([publicUrl.origin, ...allowedOrigins.map((origin) => new URL(origin).origin)]);

  const isKnown = (origin: string | undefined): origin is string => origin !== undefined && known.has(origin);

  /** Returns the headers with which a browser lets a page of this origin read a response. */
  const headersFor = (origin: string | undefined): Record<string, string> => {
    // On refusals too: a cache must not give one origin's response to another.
    const vary = { vary: 'Origin' };
    if (!isKnown(origin)) return vary;
    return {
      ...vary,
      'access-control-allow-origin': origin,
      ...exposeHeaders,
      'access-control-allow-credentials': 'true',
    };
  };

  return {
    headersFor,
    /** Whether a request comes from a page that may create sessions: one of this site, or of an allowed origin. */
    isAllowed: (origin: string | undefined, requestUrl: URL): boolean =>
      isSameOrigin(origin, requestUrl, publicUrl) || isKnown(origin),
    /** Returns the headers of the response to a preflight request; `undefined` if the origin is not allowed. */
    preflightHeadersFor: (origin: string | undefined, method: string): Record<string, string> | undefined =>
      isKnown(origin)
        ? {
            ...headersFor(origin),
            'access-control-allow-methods': method,
            'access-control-allow-headers': requestHeaders.join(', '),
            'access-control-max-age': String(maxAgeSeconds),
          }
        : undefined,
    /** Logs a refused origin, because the page itself cannot see why it was refused. */
    noteRefused(origin = 'null'): void {
      const shown = origin.slice(0, maxShownOrigin);
      const message = `A page of ${shown} was refused. If it is yours, add it to allowedOrigins, or correct publicUrl (${publicUrl.origin}).`;
      log({ type: 'originRefused', origin: shown, message });
    },
  };
}

/**
 * Whether a request with this `Origin` (RFC 6454, section 7) comes from a page of this site. A page cannot choose the
 * `Host` that its browser sends, so the two agree only on the site's own pages. `publicUrl` counts as well, because a
 * reverse proxy may rewrite `Host`. A request without `Origin` is not a browser's cross-site request.
 */
export function isSameOrigin(origin: string | undefined, requestUrl: URL, publicUrl: URL): boolean {
  if (origin === undefined) return true;
  const from = parseWebUrl(origin);
  // The scheme is not compared: behind a TLS proxy the request's is always http.
  return from !== undefined && (from.origin === publicUrl.origin || from.host === requestUrl.host);
}
