import { effect } from '@preact/signals';
import type { CheckoutModel } from '../model/index.ts';

/**
 * Loads what a shopper may ask for, when the browser has nothing else to do: it works without a network then. Not for
 * readers who save data.
 */
export function fetchAhead({ state }: CheckoutModel): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  const whenIdle = self.requestIdleCallback ?? setTimeout;
  let isStopped = false;
  const fetch = (load: () => Promise<unknown>): void =>
    void whenIdle(() => {
      // What does not come now is asked for again when it is needed.
      if (!isStopped) load().catch(() => {});
    });
  const stopLooking = effect(() => {
    const { name } = state.value;
    if (name === 'awaitingTransfer' || name === 'partlyPaid') fetch(() => import('./draw-qr-code.ts'));
    if (name === 'succeeded' || name === 'receivedLate') fetch(() => import('./receipt-paper.ts'));
  });
  return () => {
    isStopped = true;
    stopLooking();
  };
}
