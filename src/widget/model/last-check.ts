import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { isBeingChecked } from '../description/payment-facts.ts';
import type { CheckoutModel } from './checkout-model.ts';

const updateMs = 5000;

export type LastCheck = {
  /** Milliseconds since the server last responded, while the device is offline or the payment is being checked. */
  readonly sinceCheckMs: ReadonlySignal<number | undefined>;
  /** Sequence number of the last check, where the shopper requested it; undefined where the poll did. */
  readonly requestedCheck: ReadonlySignal<number | undefined>;
  /** Checks the payment at once, at the shopper's request. */
  readonly checkAgain: () => void;
  readonly stop: () => void;
};

/** Tracks when the payment was last checked, and whether the shopper requested that check. */
export function trackLastCheck({ state, clock, refresh }: CheckoutModel): LastCheck {
  const sinceCheckMs = signal<number | undefined>(undefined);
  const requestedCheck = signal<number | undefined>(undefined);
  let requests = 0;
  let isRequested = false;
  let lastCheckedAtMs: number | undefined;
  const stop = effect(() => {
    const { isOffline, checkedAtMs } = state.value;
    if (checkedAtMs !== lastCheckedAtMs) {
      requestedCheck.value = isRequested ? requests : undefined;
      isRequested = false;
      lastCheckedAtMs = checkedAtMs;
    }
    const isShown = isOffline || isBeingChecked(state.value);
    let cancelTimer = (): void => {};
    const update = (): void => {
      sinceCheckMs.value = isShown && checkedAtMs !== undefined ? clock.now() - checkedAtMs : undefined;
      if (isShown) cancelTimer = clock.setTimer(update, updateMs);
    };
    update();
    return () => cancelTimer();
  });
  return {
    sinceCheckMs,
    requestedCheck,
    checkAgain() {
      requests++;
      isRequested = true;
      refresh();
    },
    stop,
  };
}
