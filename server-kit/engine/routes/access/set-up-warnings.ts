import type { PlainRequest } from '../../../core/http.ts';
import type { Log } from '../../telemetry/log.ts';
import { type ClientKey, isPrivateAddress } from './client-key.ts';

/** No shop has a longer one. */
const maxShownPath = 300;

/**
 * Creates a check that warns when the pages reach the checkout at another path than the callbacks are sent to. A proxy may have
 * removed the first segments of the path, so the end of the callback's path is right too.
 *
 * Any shopper can send a request to another path. So the warnings end with the first request at the right one: callbacks arrive there too.
 */
export function createMountCheck(publicUrl: URL, callbackUrl: string, log: Log) {
  const expected = mountPathOf(new URL(callbackUrl).pathname);
  const prefix = publicUrl.pathname.replace(/\/+$/, '');
  let isReached = false;
  return ({ url, removedPath = '' }: PlainRequest): void => {
    const path = mountPathOf(removedPath + url.pathname);
    const mountPath = path.slice(0, maxShownPath);
    isReached ||= expected.endsWith(path);
    if (isReached) return;
    const basePath = mountPath.startsWith(`${prefix}/`) ? mountPath.slice(prefix.length) : mountPath;
    log({
      type: 'basePathDiffers',
      mountPath,
      callbackUrl,
      message: `Pages reach the checkout at ${mountPath}, but callbacks are sent to ${callbackUrl}. Set basePath: '${basePath}', unless a proxy rewrites the path.`,
    });
  };
}

/** Removes the last segment: the route. */
const mountPathOf = (pathname: string): string => pathname.replace(/\/[^/]*\/?$/, '');

const message =
  'Pages reach the checkout from a private address, probably through a reverse proxy. So their addresses are unknown: no limit ' +
  'per client counts, and one client can take the place of all others. Set clientKey: createClientKey({ trustedProxies }).';

/**
 * Creates a check that logs once when pages come through a proxy and no `clientKey` knows their addresses. A shop at a private
 * address is being developed: its pages come from there.
 */
export function createClientKeyCheck(clientKey: ClientKey | undefined, publicUrl: URL, log: Log) {
  let isNeeded = clientKey === undefined && !isLocalHost(publicUrl.hostname);
  return ({ remoteAddress = '' }: PlainRequest): void => {
    if (!isNeeded || !isPrivateAddress(remoteAddress)) return;
    isNeeded = false;
    log({ type: 'clientKeyMissing', message });
  };
}

/** A URL has its IPv6 address in brackets, and its IPv4 address in digits, however it was written (URL standard). */
function isLocalHost(hostname: string): boolean {
  const [, ipv6, ipv4] = /^(?:\[(.*)\]|([\d.]+))$/.exec(hostname) ?? [];
  return /(^|\.)localhost$/.test(hostname) || isPrivateAddress(ipv6 ?? ipv4 ?? '');
}
