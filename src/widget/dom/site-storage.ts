import { openPaymentKey } from './open-payment.ts';

/** The only key that the checkout uses in the site's `localStorage`. */
const storageKey = 'transfer-checkout';

/** Both throw where storage is blocked. */
export const readStored = (): string | null => localStorage.getItem(storageKey);
export const writeStored = (text: string): void => localStorage.setItem(storageKey, text);

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
