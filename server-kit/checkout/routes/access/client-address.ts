import ipaddr from 'ipaddr.js';
import * as v from 'valibot';
import { listOf, parseOptions } from '../../../client/options/parse-options.ts';
import { type ClientKey, networkOf } from './client-key.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [address: Address, prefixLength: number];

/** An address, or one with the length of its network's prefix. */
const ProxyNetwork = v.pipe(
  v.string(),
  v.rawTransform<string, Network>(({ dataset, addIssue, NEVER }) => {
    const network = parseNetwork(dataset.value);
    if (network !== undefined) return network;
    addIssue({ message: 'must be an address or a network of proxies, such as 10.0.0.0/8' });
    return NEVER;
  }),
);

const ClientKeyOptions = v.strictObject({
  /** The addresses and networks of your proxies: `10.0.0.0/8`, `2001:db8::/32`, `127.0.0.1`. */
  trustedProxies: listOf(ProxyNetwork, 'must be a list of addresses and networks'),
});
export type ClientKeyOptions = v.InferInput<typeof ClientKeyOptions>;

/**
 * Creates a `clientKey` for a checkout behind reverse proxies: the nearest address in `X-Forwarded-For` that is not a trusted proxy's, or
 * its network of 64 bits for IPv6, because one client usually has all of it. An entry counts only if all proxies after it are trusted, so
 * that nobody can choose their address by sending a header. An invalid entry ends the walk at the proxy that wrote it.
 *
 * @throws {CheckoutError} `invalid_options` for a proxy that cannot be parsed, or that would trust everybody
 */
export function createClientKey(options: ClientKeyOptions): ClientKey {
  const { trustedProxies } = parseOptions(ClientKeyOptions, options, 'createClientKey');
  return ({ remoteAddress = '', header }) => {
    const connected = parseAddress(remoteAddress);
    if (connected === undefined) return undefined;
    let address = connected;
    const hops = (header('x-forwarded-for') ?? '').split(',').map((hop) => withoutPort(hop.trim()));
    for (const hop of hops.filter(Boolean).reverse()) {
      const next: Address | undefined = isTrusted(address, trustedProxies) ? parseAddress(hop) : undefined;
      if (next === undefined) break;
      address = next;
    }
    return address.kind() === 'ipv6' ? networkOf(address.toString()) : address.toString();
  };
}

function parseNetwork(text: string): Network | undefined {
  const [, host = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(host);
  const isMapped = address?.kind() === 'ipv4' && host.includes(':');
  const bits = address?.kind() === 'ipv4' ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix) - (isMapped ? 96 : 0);
  return address !== undefined && length >= 1 && length <= bits ? [address, length] : undefined;
}

const isTrusted = (address: Address, trustedProxies: readonly Network[]): boolean =>
  trustedProxies.some(
    ([network, length]) => network.kind() === address.kind() && address.match(network, length),
  );

/** IPv6 has brackets if it has a port, and often without one. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

/** Strictly four decimal parts, because others read `010.0.0.1` as octal. A zone is not part of the address. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const withoutZone = text.replace(/%.*$/, '');
  return ipaddr.IPv6.isValid(withoutZone) ? ipaddr.process(withoutZone) : undefined;
}
