/** The headers in which proxies name their client. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded';

/**
 * Returns the addresses in the header, the client first, without ports. Omitted or hidden addresses appear as a text that
 * is not an address.
 */
export function readHops(headers: Pick<Headers, 'get'>, header: ForwardedHeader): string[] {
  const text = headers.get(header) ?? '';
  const hops = header === 'forwarded' ? readForwarded(text) : text.split(',');
  return hops.map((hop) => withoutPort(hop.trim())).filter((hop) => hop !== '');
}

/** One `name=value` of RFC 7239, section 4, with what ends it: `;`, or `,` or the end of the text after a proxy's entry. */
const pairPattern = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)\s*([,;]|$)/y;

/** Returns no addresses if the syntax is wrong anywhere: after an unclosed quote, it is unknown what each proxy wrote. */
function readForwarded(text: string): string[] {
  const hops: string[] = [];
  let hop = 'unknown';
  pairPattern.lastIndex = 0;
  while (pairPattern.lastIndex < text.length) {
    const [, name, value = '', end] = pairPattern.exec(text) ?? [];
    if (name === undefined) return [];
    if (name.toLowerCase() === 'for') hop = value.replace(/^"|"$/g, '');
    if (end === ';') continue;
    hops.push(hop);
    hop = 'unknown';
  }
  return hops;
}

/** IPv6 has brackets if it has a port, and often without one. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}
