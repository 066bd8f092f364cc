import { effect } from '@preact/signals';
import type { CheckoutModel } from '../../model/index.ts';
import { openNoteName } from './open-payment.ts';

/** What is over for the shopper. After expiry the money may still come. */
const ends: readonly string[] = ['succeeded', 'receivedLate', 'failed', 'reversed'];

/**
 * Notes, for as long as the tab is there, which payment is shown on this page: a browser may end a page behind the bank's app, and the
 * page can show it again (`wasOpen`). The payment's end takes the note away, and so does the returned function.
 */
export function noteShown({ state }: CheckoutModel): () => void {
  let noted: string | undefined;
  const note = (next?: string): void => {
    try {
      if (next) sessionStorage.setItem(openNoteName, next);
      // Another checkout's stays.
      else if (noted && noted === sessionStorage.getItem(openNoteName))
        sessionStorage.removeItem(openNoteName);
    } catch {
      // Blocked: after a reload the shopper presses the button again.
    }
    noted = next;
  };
  const stop = effect(() => {
    const now = state.value;
    const isShown = 'payment' in now && !ends.includes(now.name);
    note(isShown ? `${location.pathname} ${now.payment.reference}` : undefined);
  });
  return () => {
    stop();
    note();
  };
}
