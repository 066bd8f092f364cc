import type { PlainRequest } from '../../../http/plain-http.ts';
import type { Log } from '../../telemetry/log.ts';
import { type ClientKey, isPrivateAddress } from './client-key.ts';

export type ClientKeyCheckOptions = { clientKey: ClientKey | undefined; publicUrl: URL; log: Log };

/** Notes an accepted request of a page. */
export type NoteClient = (request: PlainRequest) => void;

const message =
  'Pages reach the checkout from a private address, probably through a reverse proxy. So their addresses are unknown: no limit ' +
  'per client counts, and one client can take the place of all others. Set clientKey: createClientKey({ trustedProxies }).';

/**
 * Creates a check that logs once when pages come through a proxy and no `clientKey` knows their addresses. A shop at a private
 * address is being developed: its pages come from there.
 */
export function createClientKeyCheck({ clientKey, publicUrl, log }: ClientKeyCheckOptions): NoteClient {
  let isNeeded = clientKey === undefined && !isLocalHost(publicUrl.hostname);
  return ({ remoteAddress = '' }) => {
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
