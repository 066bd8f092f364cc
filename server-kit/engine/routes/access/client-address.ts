import { BlockList, isIP, isIPv4 } from 'node:net';
import * as v from 'valibot';
import { listOf, parseOptions } from '../../../core/options.ts';
import { type ClientKey, networkOf, unmapped } from './client-key.ts';

type Network = readonly [address: string, prefixLength: number];

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
  const trusted = new BlockList();
  for (const [address, prefix] of parseOptions(ClientKeyOptions, options, 'createClientKey').trustedProxies)
    trusted.addSubnet(address, prefix, familyOf(address));
  return ({ remoteAddress = '', header }) => {
    const connected = parseAddress(remoteAddress);
    if (connected === undefined) return undefined;
    let address = connected;
    const hops = (header('x-forwarded-for') ?? '').split(',').map((hop) => withoutPort(hop.trim()));
    for (const hop of hops.filter(Boolean).reverse()) {
      const next = trusted.check(address, familyOf(address)) ? parseAddress(hop) : undefined;
      if (next === undefined) break;
      address = next;
    }
    return isIPv4(address) ? address : networkOf(address);
  };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

function parseNetwork(text: string): Network | undefined {
  const [, host = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(host);
  if (address === undefined) return undefined;
  const bits = isIPv4(address) ? 32 : 128;
  const isMapped = bits === 32 && host.includes(':');
  const length = prefix === undefined ? bits : Number(prefix) - (isMapped ? 96 : 0);
  return length >= 1 && length <= bits ? [address, length] : undefined;
}

/** IPv6 has brackets if it has a port, and often without one. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

/** Node parses strictly: others read `010.0.0.1` as octal. A zone is not part of the address. */
function parseAddress(text: string): string | undefined {
  const address = unmapped(text);
  return isIP(address) === 0 ? undefined : address;
}
