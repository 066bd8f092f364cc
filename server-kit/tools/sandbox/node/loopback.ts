import { parseWebUrl } from '../../../../src/contract/index.ts';

/** Returns whether only this machine can be meant by a host name of a URL, or by an address to listen on. */
export function isLoopback(host: string): boolean {
  const isBareIpv6 = host.includes(':') && !host.startsWith('[');
  const name = parseWebUrl(`http://${isBareIpv6 ? `[${host}]` : host}`)?.hostname ?? '';
  return /^((.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(name);
}
