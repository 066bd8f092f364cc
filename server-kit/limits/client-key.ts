import type { PlainRequest } from '../http/plain-http.ts';

/** What a `clientKey` may look at. */
export type ClientRequest = Pick<PlainRequest, 'remoteAddress' | 'header'>;

/**
 * Under which key a request is limited: as a rule its client's address. `undefined` for a request that is not to be
 * limited by its client.
 */
export type ClientKey = (request: ClientRequest) => string | undefined;

/** Loopback, private and link-local networks (RFC 6890), and those that carriers use inside (RFC 6598). */
const ownNetworks =
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(::1$|f[cd]|fe[89ab])/i;

/**
 * The address at the other end of the connection; of IPv6 the network of 64 bits, because whoever has one address of it has
 * them all. No key where that address is of our own network: then a reverse proxy is there, and all shoppers would
 * share one limit. Who they are, only `clientKey` can tell; headers alone are anybody's.
 */
export const clientKeyOfConnection: ClientKey = ({ remoteAddress = '' }) => {
  const address = remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '');
  if (address === '' || ownNetworks.test(address)) return undefined;
  return address.includes(':') ? networkOf(address) : address;
};

function networkOf(address: string): string {
  const [start = '', end] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const known = [...start];
  if (end !== undefined) {
    const zeros = Math.max(0, 8 - known.length - end.length);
    known.push(...Array.from({ length: zeros }, () => '0'), ...end);
  }
  return `${known.slice(0, 4).join(':')}::/64`;
}
