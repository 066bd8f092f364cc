import { CheckoutError, parseWebUrl } from '../../../../src/contract/index.ts';
import { isLoopback } from '../../../client/http/host-names.ts';

/**
 * Creates the check of a `Host` header. In a DNS rebinding attack a page has the origin that it sends requests to, and only
 * its host name shows the attack. So only names are accepted that an attacker cannot have: those of this machine, that of
 * `publicUrl`, and the allowed ones. A missing header is refused.
 *
 * @throws {CheckoutError} `invalid_options` for an allowed host that is not a host name
 */
export function createHostCheck(
  publicUrl: string,
  allowedHosts: readonly string[],
): (host: string | undefined) => boolean {
  const allowed = new Set([new URL(publicUrl).host, ...allowedHosts.map(checkName)].map(nameOf));
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

function checkName(name: string): string {
  if (/^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) && nameOf(name) !== undefined) return name;
  throw new CheckoutError(
    'invalid_options',
    `allowedHosts: "${name}" must be a host name without scheme and port, such as sandbox.`,
  );
}
