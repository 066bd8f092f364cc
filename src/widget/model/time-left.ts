import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { isPayable } from '../description/payment-facts.ts';
import type { CheckoutModel } from './checkout-model.ts';
import { createCountdown } from './countdown.ts';

const minuteMs = 60_000;

/** The last part of the time to pay, in which the shopper is warned. */
export const lastMinutesMs = 5 * minuteMs;
/** How far the phone's clock may differ from the service's, for a time of day to be compared with it. */
const clockToleranceMs = minuteMs;

export type TimeLeft = {
  /** The time left to pay, in milliseconds; undefined while the state has no deadline or the service's clock is unknown. */
  readonly remainingMs: ReadonlySignal<number | undefined>;
  /** The time left, rounded up to the steps at which screen readers announce it. */
  readonly announcedMs: ReadonlySignal<number | undefined>;
  /** The time to pay is up, and the server has not confirmed the expiry yet. */
  readonly isTimeUp: ReadonlySignal<boolean>;
  /** The last minutes to pay have begun. */
  readonly isTimeShort: ReadonlySignal<boolean>;
  /** The phone's clock agrees with the service's, as far as that is known. */
  readonly isClockRight: ReadonlySignal<boolean>;
  readonly stop: () => void;
};

/**
 * Rounds the time left up to the step in which screen readers announce it: three minutes, in the last five minutes one minute, in the
 * last two thirty seconds.
 */
export function roundTimeLeft(remainingMs: number): number {
  const stepMs =
    remainingMs > lastMinutesMs ? 3 * minuteMs : remainingMs > 2 * minuteMs ? minuteMs : minuteMs / 2;
  return Math.ceil(remainingMs / stepMs) * stepMs;
}

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
    announcedMs: computed(() => remainingMs.value && roundTimeLeft(remainingMs.value)),
    isTimeUp: computed(() => remainingMs.value === 0),
    isTimeShort: computed(() => remainingMs.value !== undefined && remainingMs.value <= lastMinutesMs),
    isClockRight: computed(() => {
      const { serviceOffsetMs } = state.value;
      if (serviceOffsetMs === undefined) return true;
      return Math.abs(clock.date() - clock.now() - serviceOffsetMs) <= clockToleranceMs;
    }),
    stop() {
      stopEffect();
      countdown.stop();
    },
  };
}
