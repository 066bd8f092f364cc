import { effect, signal } from '@preact/signals';
import { createCountdown } from '../core/index.ts';
import type { CheckoutModel } from './checkout-model.ts';
import { isToPay } from './payment-facts.ts';
import type { Timers } from './timers.ts';

/** Counts how much time there is to pay, in milliseconds; undefined where that does not count, or is not known yet. */
export function countDown({ state, clock, refresh }: CheckoutModel): Pick<Timers, 'remainingMs' | 'stop'> {
  const remainingMs = signal<number | undefined>(undefined);
  const countdown = createCountdown(
    clock,
    (ms) => {
      remainingMs.value = ms;
    },
    refresh,
  );
  const stopLooking = effect(() => {
    const now = state.value;
    const { serviceOffsetMs } = now;
    if (isToPay(now) && serviceOffsetMs !== undefined) {
      return countdown.correct(Date.parse(now.payment.expiresAt), serviceOffsetMs + clock.now());
    }
    countdown.stop();
    remainingMs.value = undefined;
  });
  return {
    remainingMs,
    stop() {
      stopLooking();
      countdown.stop();
    },
  };
}
