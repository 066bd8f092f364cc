import type { Environment } from './environment.ts';

/**
 * What happens to the page: `hidden` when nobody can see it any more (also when it is frozen or left), `wake` when a
 * look at the server is due because it was shown, thawed or restored, `online` when there is a network again.
 */
export type PageEvent = 'hidden' | 'wake' | 'online';

/** What browsers call it; `visibilitychange` means what the page is by then. */
const meanings: Readonly<Record<string, PageEvent | undefined>> = {
  visibilitychange: undefined,
  pageshow: 'wake',
  resume: 'wake',
  pagehide: 'hidden',
  freeze: 'hidden',
  online: 'online',
};

/** Tells what happens to the page. Returns a function that ends it. */
export function observePage(environment: Environment, listener: (event: PageEvent) => void): () => void {
  return environment.observe(Object.keys(meanings), (type) =>
    listener(meanings[type] ?? (environment.isHidden() ? 'hidden' : 'wake')),
  );
}
