import { ownCopy } from '../../contract/own-fields.ts';
import type { Environment } from '../../core/connection/environment.ts';
import { pageBase, readDocument } from './page.ts';
import { siteStorage } from './site-storage.ts';
import { savesData } from './when-idle.ts';

/** The key of the selected language in the tab's `sessionStorage`. */
const languageKey = 'transfer-checkout-language';

/** Sends a request to the checkout server. A path is one of the page's own site. */
export const fetchFromPage: Environment['fetch'] = (url, init) =>
  fetch(new URL(url, pageBase()).href, ownCopy(init));

/** The part that single requests use. Importing this file on a server is safe: globals are read on use. */
export const requestEnvironment: Pick<Environment, 'fetch' | 'setTimer' | keyof typeof siteStorage> = {
  ...siteStorage,
  fetch: fetchFromPage,
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Creates the environment of a real browser. */
export function createBrowserEnvironment(): Environment {
  return {
    ...requestEnvironment,
    now: () => performance.now(),
    random: Math.random,
    isHidden: () => readDocument('hidden'),
    isOffline: () => navigator.onLine === false,
    savesData,
    observe(types, listener) {
      const onEvent = ({ type }: Event): void => listener(type);
      // Captured, because some of them fire on the document and do not bubble.
      for (const type of types) addEventListener(type, onEvent, true);
      return () => {
        for (const type of types) removeEventListener(type, onEvent, true);
      };
    },
    readLanguage: () => sessionStorage.getItem(languageKey),
    writeLanguage: (tag) => sessionStorage.setItem(languageKey, tag),
    report(error) {
      // biome-ignore lint/suspicious/noConsole: an error without an onError callback must still reach the developer
      console.error(error);
    },
  };
}
