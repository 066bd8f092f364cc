import { effect } from '@preact/signals';
import { loadLazyPart } from '../core/connection/lazy-part.ts';
import { isPaid } from '../core/machine/state.ts';
import { isPayable } from './description/payment-facts.ts';
import { whenIdle } from './dom/when-idle.ts';
import type { CheckoutModel } from './model/checkout-model.ts';
import { importQrCode } from './parts/qr-code.tsx';
import { importReceipt } from './parts/receipt-actions.tsx';

/** Preloads the lazy parts of the current screen when the browser is idle, so that they work without a network later. */
export function preloadParts({ state }: CheckoutModel): () => void {
  let cancel = (): void => {};
  const preload = (load: () => Promise<unknown>): void => {
    cancel();
    // A part that fails to load now is loaded when it is needed.
    cancel = whenIdle(() => void load().catch(() => {}));
  };
  const stop = effect(() => {
    if (isPayable(state.value)) preload(() => loadLazyPart('qr-code', importQrCode));
    if (isPaid(state.value)) preload(() => loadLazyPart('receipt', importReceipt));
  });
  return () => {
    stop();
    cancel();
  };
}
