import type { Environment } from './environment.ts';

/**
 * A change of the page: `hidden` when nobody can see it (also frozen or left), `wake` when it is shown, thawed or restored, `online` when
 * the network is back.
 */
export type PageEvent = 'hidden' | 'wake' | 'online';

/** The browser's events; `visibilitychange` depends on the page's visibility. */
const pageEvents: Readonly<Record<string, PageEvent | undefined>> = {
  visibilitychange: undefined,
  pageshow: 'wake',
  resume: 'wake',
  pagehide: 'hidden',
  freeze: 'hidden',
  online: 'online',
};

/** Observes the page. Returns a function that stops. */
export function observePage(environment: Environment, listener: (event: PageEvent) => void): () => void {
  return environment.observe(Object.keys(pageEvents), (type) =>
    listener(pageEvents[type] ?? (environment.isHidden() ? 'hidden' : 'wake')),
  );
}
