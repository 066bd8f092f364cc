import { pageBase } from '../../widget/dom/page.ts';

const allowed = new Set<string>();

/**
 * Lets the page's markup choose checkout servers and payment pages of these origins, such as `https://pay.shop.example`, by `base-url` and
 * `pay-link` of an element, or with `data-` before them of a button. Otherwise markup can choose only the page's own origin, because
 * injected markup could show an attacker's account or page. Options that a script sets need no permission. Call it before the elements are on the page.
 */
export function allowOrigins(origins: Iterable<string>): void {
  for (const origin of origins) allowed.add(origin);
}

/**
 * Returns what a URL must be instead, where markup may not choose this one. Returns undefined where it may, and for a URL that the mount
 * refuses anyway.
 */
export function expectedUrl(url: string): string | undefined {
  try {
    const base = pageBase();
    // The parser decides where a URL leads: it reads `//x`, `\\x` and a tab between the slashes alike.
    const { protocol, origin } = new URL(url, base);
    if (!/^http/.test(protocol) || origin === new URL(base).origin || allowed.has(origin)) return undefined;
    return `a path of this site; to allow ${origin} in markup, write it in data-allowed-origins on the script tag, or call allowOrigins()`;
  } catch {
    return undefined;
  }
}
