import type { Environment } from '../../core/environment.ts';
import { pageBase, pageDocument } from './page.ts';
import { reportedPayments, selectedLanguage, siteStorage } from './site-storage.ts';

const held = { count: 0 };

export const fetchFromPage: Environment['fetch'] = async (url, init) =>
  fetch(new URL(url, pageBase()).href, init);

/** The part that single requests use. Importing this file on a server is safe: globals are read on use. */
export const requestEnvironment: Pick<Environment, 'fetch' | 'setTimer' | keyof typeof siteStorage> = {
  ...siteStorage,
  fetch: fetchFromPage,
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export function createBrowserEnvironment(): Environment {
  return {
    ...requestEnvironment,
    held,
    now: () => performance.now(),
    random: Math.random,
    isHidden: () => pageDocument.hidden,
    isOffline: () => navigator.onLine === false,
    observe(types, listener) {
      // With `persisted: false`, the page has just loaded, or is left for good: nothing to react to.
      const onEvent = ({ type, persisted }: Event & { persisted?: boolean }): void =>
        void (persisted === false || listener(type));
      // Captured, because some of them fire on the document and do not bubble.
      for (const type of types) addEventListener(type, onEvent, true);
      return () => {
        for (const type of types) removeEventListener(type, onEvent, true);
      };
    },
    readReported: reportedPayments.read,
    writeReported: reportedPayments.write,
    readLanguage: selectedLanguage.read,
    writeLanguage: selectedLanguage.write,
    report(error) {
      // biome-ignore lint/suspicious/noConsole: an error without an onError callback must still reach the developer
      console.error(error);
    },
  };
}
