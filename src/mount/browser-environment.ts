import type { Environment } from '../core/page/environment.ts';
import { storageName } from './options/storage-name.ts';

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
    observe(types, listener) {
      const tell = ({ type }: Event): void => listener(type);
      // Captured, because some of them happen to the document and do not bubble.
      for (const type of types) addEventListener(type, tell, true);
      return () => {
        for (const type of types) removeEventListener(type, tell, true);
      };
    },
    readStored: () => localStorage.getItem(storageName),
    writeStored: (text) => localStorage.setItem(storageName, text),
    requestLock: (name, options, hold) => navigator.locks.request(name, options, hold),
    openChannel: (name) => new BroadcastChannel(name),
    report(error) {
      // biome-ignore lint/suspicious/noConsole: the merchant has given no onError, and must not be left without a word
      console.error(error);
    },
  };
}
