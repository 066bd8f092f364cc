import * as v from 'valibot';

/**
 * Reads an http(s) URL, absolute or relative to `base`, and gives `undefined` for anything else, such as `javascript:` or `data:`.
 * Every URL that a page will follow, or that is handed on to the service, passes through here.
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

/** The text of such a URL. */
export const WebUrl = v.pipe(
  v.string(),
  v.check((text) => parseWebUrl(text) !== undefined),
);
