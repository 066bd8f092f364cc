/** The headers in which proxies say whom they speak for. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded';

/**
 * Whom the proxies say they speak for, the client first, as text without ports. What the header leaves out or hides is
 * there as a text that is no address.
 */
export function readHops(headers: Pick<Headers, 'get'>, header: ForwardedHeader): string[] {
  const text = headers.get(header) ?? '';
  const hops = header === 'forwarded' ? readForwarded(text) : text.split(',');
  return hops.map((hop) => withoutPort(hop.trim())).filter((hop) => hop !== '');
}

/** One `name=value` of RFC 7239, section 4, and what ends it: a `;` or, at the end of a proxy's entry, a `,`. */
const pairPattern = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)\s*([,;]|$)/y;

/**
 * Empty where the header breaks the grammar anywhere: behind a quote that somebody left open, nobody can tell what a
 * proxy has written.
 */
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

/** IPv6 stands in brackets where it has a port, and often where it has none. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}
