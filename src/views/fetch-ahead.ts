import { effect } from '@preact/signals';
import type { CheckoutModel } from '../model/index.ts';

/**
 * Loads what a shopper may ask for, when the browser has nothing else to do: it works without a network then. Not for
 * readers who save data.
 */
export function fetchAhead({ state }: CheckoutModel): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  // Safari has no idle callbacks.
  const [whenIdle, forget] = self.requestIdleCallback
    ? [self.requestIdleCallback, self.cancelIdleCallback]
    : [self.setTimeout, self.clearTimeout];
  let asked = 0;
  const fetch = (load: () => Promise<unknown>): void => {
    forget(asked);
    // What does not come now is asked for again when it is needed.
    asked = whenIdle(() => void load().catch(() => {}));
  };
  const stopLooking = effect(() => {
    const { name } = state.value;
    if (name === 'awaitingTransfer' || name === 'partlyPaid') fetch(() => import('./draw-qr-code.ts'));
    if (name === 'succeeded' || name === 'receivedLate') fetch(() => import('./receipt-paper.ts'));
  });
  return () => {
    stopLooking();
    forget(asked);
  };
}
