import type { Environment, PageEvent } from '../core/environment.ts';

/** What a page is told, and what it means; `visibilitychange` means what the page is by then. */
const pageEvents: Readonly<Record<string, PageEvent | undefined>> = {
  visibilitychange: undefined,
  pageshow: 'wake',
  resume: 'wake',
  pagehide: 'hidden',
  freeze: 'hidden',
  online: 'online',
  offline: 'offline',
};

/** The one item of the site's storage that is ours. */
const storageName = 'transfer-checkout';

type NetworkInformation = { readonly saveData?: boolean };

/** The world of a real browser. Reads nothing before it is called, so that importing it on a server is harmless. */
export function createBrowserEnvironment(): Environment {
  return {
    fetch: (url, init) => fetch(url, init),
    now: () => performance.now(),
    date: Date.now,
    random: Math.random,
    setTimer(callback, ms) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    isHidden: () => document.hidden,
    isOffline: () => navigator.onLine === false,
    savesData: () => (navigator as { connection?: NetworkInformation }).connection?.saveData,
    observe(listener) {
      const tell = ({ type }: Event): void =>
        listener(pageEvents[type] ?? (document.hidden ? 'hidden' : 'wake'));
      // Captured, because some of them happen to the document and do not bubble.
      for (const type in pageEvents) addEventListener(type, tell, true);
      return () => {
        for (const type in pageEvents) removeEventListener(type, tell, true);
      };
    },
    readStored: () => localStorage.getItem(storageName),
    writeStored: (text) => localStorage.setItem(storageName, text),
    locks: () => navigator.locks,
    openChannel: (name) => new BroadcastChannel(name),
    report(error) {
      // biome-ignore lint/suspicious/noConsole: the merchant has given no onError, and must not be left without a word
      console.error(error);
    },
  };
}
