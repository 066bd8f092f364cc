/**
 * Parses an http(s) URL, absolute or relative to `base`; returns `undefined` for anything else, such as `javascript:` or `data:`.
 * Validates every URL that a page opens or the service receives.
 */
export function parseWebUrl(text: unknown, base?: string): URL | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const url = new URL(text, base);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
  } catch {
    return undefined;
  }
}
