import { parseWebUrl } from '../../../../src/contract/index.ts';

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
