import { effect } from '@preact/signals';
import { type CheckoutModel, isToPay, loadPart } from '../model/index.ts';
import { importQrCode } from './parts/qr-code.tsx';
import { importReceipt } from './parts/receipt-actions.tsx';
import { loadWhenIdle } from './when-idle.ts';

/** Loads what a shopper may ask for before it is asked for: it works without a network then. */
export function fetchAhead({ state }: CheckoutModel): () => void {
  let forget = (): void => {};
  const fetch = (load: () => Promise<unknown>): void => {
    forget();
    // What does not come now is asked for again when it is needed.
    forget = loadWhenIdle(() => void load().catch(() => {}));
  };
  const stopLooking = effect(() => {
    const { name } = state.value;
    if (isToPay(state.value)) fetch(() => loadPart('qr-code', importQrCode));
    if (name === 'succeeded' || name === 'receivedLate') fetch(() => loadPart('receipt', importReceipt));
  });
  return () => {
    stopLooking();
    forget();
  };
}
