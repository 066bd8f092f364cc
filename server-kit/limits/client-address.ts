import ipaddr from 'ipaddr.js';
import { CheckoutError } from '../../src/contract/index.ts';
import type { ClientKey } from './client-key.ts';
import { type ForwardedHeader, readHops } from './forwarded.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks whose word on where a request comes from is believed. */
export type TrustedProxies = readonly (readonly [network: Address, prefixLength: number])[];

export type ClientAddressInput = {
  /** The address at the other end of the connection, as the runtime knows it: `request.socket.remoteAddress` in Node. */
  remoteAddress: string | undefined;
  headers: Pick<Headers, 'get'>;
  trustedProxies: TrustedProxies;
  /**
   * The header in which these proxies say whom they speak for. Only one, because a proxy that writes one of them
   * passes the other on as anybody has sent it. Default: `x-forwarded-for`.
   */
  header?: ForwardedHeader;
};

/**
 * Reads the addresses of reverse proxies: single ones and networks (`10.0.0.0/8`, `2001:db8::/32`, `127.0.0.1`).
 *
 * @throws {CheckoutError} `invalid_options`, naming the one that cannot be read, or that would trust everybody
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
 * The address a request comes from: the nearest one that is not a trusted proxy's. What a proxy says is believed only
 * while all those nearer are trusted, so that nobody can choose an address by sending a header. An entry that is no
 * address ends the walk at the proxy that has written it.
 *
 * @returns the address in its usual form, IPv4 also where it came as IPv6; `undefined` where the connection has none
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
 * The key under which to limit an address. All of an IPv6 network of 64 bits is one key: whoever has one address of it
 * has them all.
 *
 * @param address what `clientAddress` gave
 */
export function addressKey(address: string): string {
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  const network = parsed.parts.map((part, index) => (index < 4 ? part : 0));
  return `${new ipaddr.IPv6(network).toRFC5952String()}/64`;
}

/**
 * A `clientKey` for a checkout behind reverse proxies: the address of the client as the trusted ones among them say, and
 * of an IPv6 address its network.
 *
 * @param trustedProxies as for `parseTrustedProxies`; what others say in the header is not read
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

/** Strictly four decimal parts: elsewhere `010.0.0.1` is another address. A zone belongs to the host, not the address. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const withoutZone = text.replace(/%.*$/, '');
  return ipaddr.IPv6.isValid(withoutZone) ? ipaddr.process(withoutZone) : undefined;
}
