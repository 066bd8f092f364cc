import { type ReadonlySignal, signal } from '@preact/signals';

/** The sections of the panel, in the order of its navigation. Each is an address: `#/payouts`. */
export const sectionTitles = {
  payments: 'Payments',
  'checkout-links': 'Checkout links',
  'dedicated-accounts': 'Dedicated accounts',
  payouts: 'Payouts',
  invoices: 'Invoices',
  'tax-rates': 'Tax rates',
  apps: 'Apps',
  callbacks: 'Callbacks',
  requests: 'Requests',
  faults: 'Faults',
  credentials: 'Credentials',
} as const;
export type SectionId = keyof typeof sectionTitles;

/** Where somebody is: a section, and the record that is open in it. */
export type Route = { section: SectionId; id: string | undefined };

/** `#/callbacks/cb_1` is the callback `cb_1`; what cannot be read is the payments. */
export function readRoute(hash: string): Route {
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
    // Typed by hand: no id of ours has a lone percent sign.
    return text;
  }
}

/**
 * The place in the page's address, as it changes. Where a record is open the browser restores no scroll position: it may do
 * so after the panel has scrolled to the record, and other records may have arrived above it meanwhile.
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
