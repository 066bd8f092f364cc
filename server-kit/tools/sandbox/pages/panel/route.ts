import { type ReadonlySignal, signal } from '@preact/signals';

/** The panel's sections in the order of its navigation. Each has an address such as `#/callbacks`. */
export const sectionTitles = {
  payments: 'Payments',
  callbacks: 'Callbacks',
  requests: 'Requests',
} as const;
export type SectionId = keyof typeof sectionTitles;

/** The pages of the demo, from its folder: name by address. The panel is one of them where the demo serves it. */
export const demoPages = {
  './': 'Demo',
  './gallery.html': 'Screens',
  './look.html': 'Look',
  './docs/': 'Docs',
  './panel.html': 'Panel',
} as const;

/** The current section, and the record that is open in it. */
export type Route = { section: SectionId; id: string | undefined };

/** Parses a fragment: `#/callbacks/cb_1` is the callback `cb_1`. Anything unknown is the payments. */
function readRoute(hash: string): Route {
  const [, section = '', id = ''] = /^#\/([\w-]+)(?:\/(.+))?$/.exec(hash) ?? [];
  if (!Object.hasOwn(sectionTitles, section)) return { section: 'payments', id: undefined };
  return { section: section as SectionId, id: id === '' ? undefined : decode(id) };
}

export const hrefOf = (section: SectionId, id?: string): string =>
  id === undefined ? `#/${section}` : `#/${section}/${encodeURIComponent(id)}`;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Typed by hand: none of our ids has a lone percent sign.
    return text;
  }
}

/**
 * Follows the route in the page's address. While a record is open, the browser must not restore the scroll position: it
 * might do so after the panel has scrolled to the record.
 */
export function watchRoute(
  page: Pick<Window, 'location' | 'addEventListener' | 'history'>,
): ReadonlySignal<Route> {
  const route = signal(readRoute(page.location.hash));
  page.addEventListener('hashchange', () => {
    route.value = readRoute(page.location.hash);
  });
  route.subscribe(({ id }) => {
    page.history.scrollRestoration = id === undefined ? 'auto' : 'manual';
  });
  return route;
}
