import { parseWebUrl } from '../../../src/contract/index.ts';
import { isLoopback } from '../../http/host-names.ts';

/** Returns whether control calls and the panel are served under a host name. */
export type AcceptHost = (hostname: string) => boolean;

/**
 * Returns the host names that a server accepts. One that listens only on loopback accepts loopback names and the host of
 * `publicUrl`: in a DNS rebinding attack the page has the same origin, and only its host name shows the attack. Any other
 * server accepts every name, because it cannot know its own.
 */
export function acceptedHosts(host: string, publicUrl: string): AcceptHost {
  if (!isLoopback(host)) return () => true;
  const publicName = parseWebUrl(publicUrl)?.hostname;
  return (hostname) => isLoopback(hostname) || hostname === publicName;
}

/** Returns the host name of a `Host` header, in lower case and without the port; `undefined` for an invalid one. */
export const hostnameOf = (host: string): string | undefined => parseWebUrl(`http://${host}`)?.hostname;
