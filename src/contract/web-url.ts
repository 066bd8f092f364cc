/** Parses an http(s) URL, absolute or relative to `base`; undefined for anything else, such as `javascript:`. */
export function parseWebUrl(text: unknown, base?: string): URL | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const url = new URL(text, base);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
  } catch {
    return undefined;
  }
}
