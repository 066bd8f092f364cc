import type { PlainRequest } from '../../../core/http.ts';

/** The parts of a request that `clientKey` may use. */
export type ClientRequest = Pick<PlainRequest, 'remoteAddress' | 'header'>;

/**
 * Returns the key under which a request is limited, and takes its turn, usually its client's address; `undefined` if it is not
 * to be limited by client. All requests without a key take turns as one client.
 */
export type ClientKey = (request: ClientRequest) => string | undefined;

/** Loopback, private and link-local networks (RFC 6890), and carriers' internal networks (RFC 6598). */
const ownNetworks =
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(::1$|f[cd]|fe[89ab])/i;

/** Whether the address is of a private network, so that a connection from it is probably a reverse proxy's. */
export const isPrivateAddress = (address: string): boolean => ownNetworks.test(unmapped(address));

/** Writes an IPv4 address that came as IPv6 as IPv4, and removes a zone. */
export const unmapped = (address: string): string =>
  address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '');

/**
 * Returns the address at the other end of the connection; for IPv6 its network of 64 bits, because one client usually has
 * all of it. Returns `undefined` for an address of our own network: that is a reverse proxy, and all shoppers would share
 * one limit. Only a `clientKey` can identify them, because anybody can send a header.
 */
export const clientKeyOfConnection: ClientKey = ({ remoteAddress = '' }) => {
  const address = unmapped(remoteAddress);
  if (address === '' || isPrivateAddress(address)) return undefined;
  return address.includes(':') ? networkOf(address) : address;
};

/** Returns the network of 64 bits of an IPv6 address, as RFC 5952 writes it. */
export function networkOf(address: string): string {
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  const groups = [...start, ...zeros, ...end].slice(0, 4);
  const network = groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
  return `${network.replace(/(^0)?(:0)*$/, '')}::/64`;
}
