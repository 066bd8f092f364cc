import type { Environment } from '../../core/environment.ts';

/** Returns a text that the browser stores under a key. Where storage is blocked or full, nothing is read or written. */
// @__NO_SIDE_EFFECTS__
const storedText = (area: 'localStorage' | 'sessionStorage', key: string) => ({
  read(): string | null {
    try {
      return window[area].getItem(key);
    } catch {
      return null;
    }
  },
  write(text: string | null): void {
    try {
      if (text === null) window[area].removeItem(key);
      else window[area].setItem(key, text);
    } catch {
      // After a reload the server finds the order's payment, and the shopper opens it again.
    }
  },
});

const payments = storedText('localStorage', 'transfer-checkout');

export const reportedPayments = storedText('localStorage', 'transfer-checkout-reported');

/** Which payment this tab showed last, and on which page. */
export const openPayment = storedText('sessionStorage', 'transfer-checkout-open');

export const selectedLanguage = storedText('sessionStorage', 'transfer-checkout-language');

export const openPaymentOf = (reference: string): string => `${location.pathname} ${reference}`;

export const siteStorage: Pick<Environment, 'readStored' | 'writeStored' | 'date'> = {
  readStored: payments.read,
  writeStored: payments.write,
  date: () => Date.now(),
};

/**
 * Removes everything that this browser has stored about payments on this site. Call it when a shopper logs out: the next person on the
 * device then finds nothing. A checkout that the page shows goes on; unmount it first.
 */
export function forget(): void {
  payments.write(null);
  reportedPayments.write(null);
  openPayment.write(null);
}
