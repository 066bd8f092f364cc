import { parseWebUrl } from '../../../src/contract/index.ts';

/** Whether control calls and the panel answer under this name. */
export type AcceptHost = (hostname: string) => boolean;

const isLoopback: AcceptHost = (hostname) => /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/**
 * Which names a server answers to that listens on `host`. One that only its own machine reaches answers to that
 * machine's names and to `publicUrl`'s: a page whose own name was pointed at this machine (DNS rebinding) is of the
 * same origin for its browser, and gives itself away by that name alone. Any other is reached by names that it cannot
 * know.
 */
export function acceptedHosts(host: string, publicUrl: string): AcceptHost {
  if (!isLoopback(hostnameOf(host.includes(':') ? `[${host}]` : host) ?? '')) return () => true;
  const publicName = parseWebUrl(publicUrl)?.hostname;
  return (hostname) => isLoopback(hostname) || hostname === publicName;
}

/** The name of what a `Host` header holds, in lower case and without its port; `undefined` where it is none. */
export const hostnameOf = (host: string): string | undefined => parseWebUrl(`http://${host}`)?.hostname;
