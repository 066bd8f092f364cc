import { parseWebUrl } from '../../../../src/contract/index.ts';
import { isLoopback } from '../../../client/http/host-names.ts';

/**
 * Creates the check of a `Host` header. In a DNS rebinding attack a page has the origin that it sends requests to, and only
 * its host name shows the attack. So only names are accepted that an attacker cannot have: those of this machine, that of
 * `publicUrl`, and the allowed ones. A missing header is refused.
 */
export function createHostCheck(
  publicUrl: string,
  allowedHosts: readonly string[],
): (host: string | undefined) => boolean {
  const allowed = new Set([new URL(publicUrl).host, ...allowedHosts].map(nameOf));
  return (host = '') => {
    const name = nameOf(host);
    return name !== undefined && (isLoopback(name) || allowed.has(name));
  };
}

/** Returns the name in a `Host` header, in lower case; `undefined` for anything but a name with or without a port. */
function nameOf(host: string): string | undefined {
  const url = parseWebUrl(`http://${host}`);
  return url?.href === `${url?.origin}/` ? url.hostname.replace(/\.$/, '') : undefined;
}

/** Whether this is a host name, without scheme and port. */
export const isHostName = (name: string): boolean =>
  /^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) && nameOf(name) !== undefined;
