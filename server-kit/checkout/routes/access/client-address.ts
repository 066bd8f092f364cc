import ipaddr from 'ipaddr.js';
import { CheckoutError } from '../../../../src/contract/index.ts';
import { type ClientKey, networkOf } from './client-key.ts';
import { type ForwardedHeader, readHops } from './forwarded.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks whose forwarding headers are trusted. */
export type TrustedProxies = readonly (readonly [network: Address, prefixLength: number])[];

export type ClientAddressInput = {
  /** The address at the other end of the connection: `request.socket.remoteAddress` in Node. */
  remoteAddress: string | undefined;
  headers: Pick<Headers, 'get'>;
  trustedProxies: TrustedProxies;
  /**
   * The header in which these proxies name their client. Only one, because a proxy that sets one of them passes the other
   * on as received. Default: `x-forwarded-for`.
   */
  header?: ForwardedHeader;
};

/**
 * Parses the addresses and networks of reverse proxies: `10.0.0.0/8`, `2001:db8::/32`, `127.0.0.1`.
 *
 * @throws {CheckoutError} `invalid_options` for one that cannot be parsed, or that would trust everybody
 */
export function parseTrustedProxies(texts: readonly string[]): TrustedProxies {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network !== undefined) return network;
    const message = `trustedProxies: "${text}" must be an address or a network of proxies, such as 10.0.0.0/8.`;
    throw new CheckoutError('invalid_options', message);
  });
}

function parseNetwork(text: string): readonly [Address, number] | undefined {
  const [, host = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(host);
  if (address === undefined) return undefined;
  const isMapped = address.kind() === 'ipv4' && host.includes(':');
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix) - (isMapped ? 96 : 0);
  return length >= 1 && length <= bits ? [address, length] : undefined;
}

/**
 * Returns the client's address: the nearest one that is not a trusted proxy's. An entry counts only if all proxies after it
 * are trusted, so that nobody can choose their address by sending a header. An invalid entry ends the walk at the proxy
 * that wrote it.
 *
 * @returns the normalised address, IPv4 also if it came as IPv6; `undefined` if the connection has none
 */
export function clientAddress({
  remoteAddress = '',
  headers,
  trustedProxies,
  header = 'x-forwarded-for',
}: ClientAddressInput): string | undefined {
  let address = parseAddress(remoteAddress);
  if (address === undefined) return undefined;
  for (const hop of readHops(headers, header).reverse()) {
    if (!isTrusted(address, trustedProxies)) break;
    const next = parseAddress(hop);
    if (next === undefined) break;
    address = next;
  }
  return address.toString();
}

/**
 * Returns the key under which to limit an address. An IPv6 network of 64 bits is one key, because one client usually has
 * all its addresses.
 *
 * @param address the result of `clientAddress`
 */
export function addressKey(address: string): string {
  const parsed = parseAddress(address);
  return parsed?.kind() === 'ipv6' ? networkOf(parsed.toString()) : address;
}

/**
 * Creates a `clientKey` for a checkout behind reverse proxies: the client's address according to the trusted ones, or its
 * network for IPv6.
 *
 * @param options.trustedProxies as for `parseTrustedProxies`; the header of others is ignored
 * @throws {CheckoutError} `invalid_options`
 */
export function createClientKey(options: {
  trustedProxies: readonly string[];
  /** Default: `x-forwarded-for`. */
  header?: ForwardedHeader;
}): ClientKey {
  const { header = 'x-forwarded-for' } = options;
  const trustedProxies = parseTrustedProxies(options.trustedProxies);
  return (request) => {
    const headers = { get: (name: string) => request.header(name) ?? null };
    const address = clientAddress({ remoteAddress: request.remoteAddress, headers, trustedProxies, header });
    return address && addressKey(address);
  };
}

const isTrusted = (address: Address, trustedProxies: TrustedProxies): boolean =>
  trustedProxies.some(
    ([network, length]) => network.kind() === address.kind() && address.match(network, length),
  );

/** Strictly four decimal parts, because others read `010.0.0.1` as octal. A zone is not part of the address. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const withoutZone = text.replace(/%.*$/, '');
  return ipaddr.IPv6.isValid(withoutZone) ? ipaddr.process(withoutZone) : undefined;
}
