import type { Environment } from '../core/environment.ts';

/** The world of a real browser. Reads nothing before it is called, so that importing it on a server is harmless. */
export function createBrowserEnvironment(): Environment {
  return {
    fetch: (url, init) => fetch(url, init),
    now: () => performance.now(),
    random: Math.random,
    setTimer(callback, ms) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    isHidden: () => document.hidden,
    observe(listener) {
      const wake = (): void => listener('wake');
      const change = (): void => listener(document.hidden ? 'hidden' : 'wake');
      document.addEventListener('visibilitychange', change);
      // A page out of the back-forward cache, or a network that is back, is as good as a new look.
      addEventListener('pageshow', wake);
      addEventListener('online', wake);
      return () => {
        document.removeEventListener('visibilitychange', change);
        removeEventListener('pageshow', wake);
        removeEventListener('online', wake);
      };
    },
    report(error) {
      // biome-ignore lint/suspicious/noConsole: the merchant has given no onError, and must not be left without a word
      console.error(error);
    },
  };
}
