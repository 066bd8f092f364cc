import { effect } from '@preact/signals';
import { openPayment, openPaymentOf } from './dom/site-storage.ts';
import type { CheckoutModel } from './model/checkout-model.ts';

/** The states after which nothing is reopened. `expired` is not one of them: money may still arrive. */
const endStates: readonly string[] = ['succeeded', 'receivedLate', 'failed', 'reversed'];

/**
 * Stores which payment this page shows, so that it can be reopened (`wasOpen`) when the browser has ended the page behind the
 * bank's app. The entry is removed when the payment ends, or by the returned function.
 */
export function rememberOpenPayment({ state }: CheckoutModel): () => void {
  let stored: string | undefined;
  const store = (next?: string): void => {
    if (next) openPayment.write(next);
    // Another checkout's entry stays.
    else if (stored && stored === openPayment.read()) openPayment.write(null);
    stored = next;
  };
  const stop = effect(() => {
    const now = state.value;
    const isOpen = 'payment' in now && !endStates.includes(now.name);
    store(isOpen ? openPaymentOf(now.payment.reference) : undefined);
  });
  return () => {
    stop();
    store();
  };
}
