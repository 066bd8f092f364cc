import type { Environment } from '../../core/connection/environment.ts';

/** The key in the tab's `sessionStorage` that holds which payment is shown on which page. */
export const openPaymentKey = 'transfer-checkout-open';

/** The stored value: the page's path, a space, and the payment's reference. */
export const openPaymentOf = (reference: string): string => `${location.pathname} ${reference}`;

/** Returns which payment this tab showed last, and on which page; null where nothing is stored or storage is blocked. */
export function readOpenPayment(): string | null {
  try {
    return sessionStorage.getItem(openPaymentKey);
  } catch {
    return null;
  }
}

/** The only key that the checkout uses in the site's `localStorage`. */
const storageKey = 'transfer-checkout';

/** What this browser has stored about payments on this site. */
export const siteStorage: Pick<Environment, 'readStored' | 'writeStored' | 'date'> = {
  readStored: () => localStorage.getItem(storageKey),
  writeStored: (text) => localStorage.setItem(storageKey, text),
  date: () => Date.now(),
};

/**
 * Removes everything that this browser has stored about payments on this site. Call it when a shopper logs out: the next person on the
 * device then finds nothing. A checkout that the page shows goes on; unmount it first.
 */
export function forget(): void {
  try {
    localStorage.removeItem(storageKey);
    sessionStorage.removeItem(openPaymentKey);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}
