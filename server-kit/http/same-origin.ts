import { parseWebUrl } from '../../src/contract/index.ts';

/**
 * Whether a request that names an `Origin` (RFC 6454, section 7) comes from a page of this site. A page cannot
 * choose the `Host` of what its browser sends, so that the two agree only on the site's own pages; `publicUrl`
 * counts as well, because a reverse proxy may rewrite `Host`. Requests without `Origin` are not a browser's
 * cross-site requests.
 */
export function isSameOrigin(origin: string | undefined, requestUrl: URL, publicUrl: URL): boolean {
  if (origin === undefined) return true;
  const from = parseWebUrl(origin);
  // The scheme is not compared with the request's: behind a TLS proxy it is always http.
  return from !== undefined && (from.origin === publicUrl.origin || from.host === requestUrl.host);
}
