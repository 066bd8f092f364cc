import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { createCountdown } from '../core/index.ts';
import type { CheckoutModel } from './checkout-model.ts';
import { isPayable } from './payment-facts.ts';

export type TimeLeft = {
  /** The time left to pay, in milliseconds; undefined while the state has no deadline or the service's clock is unknown. */
  readonly remainingMs: ReadonlySignal<number | undefined>;
  readonly stop: () => void;
};

/** Counts down the time left to pay, and checks the payment when it is up. */
export function trackTimeLeft({ state, clock, refresh }: CheckoutModel): TimeLeft {
  const remainingMs = signal<number | undefined>(undefined);
  const countdown = createCountdown(
    clock,
    (ms) => {
      remainingMs.value = ms;
    },
    refresh,
  );
  const stopEffect = effect(() => {
    const current = state.value;
    const { serviceOffsetMs } = current;
    if (isPayable(current) && serviceOffsetMs !== undefined) {
      return countdown.setEnd(Date.parse(current.payment.expiresAt) - serviceOffsetMs);
    }
    countdown.stop();
    remainingMs.value = undefined;
  });
  return {
    remainingMs,
    stop() {
      stopEffect();
      countdown.stop();
    },
  };
}
