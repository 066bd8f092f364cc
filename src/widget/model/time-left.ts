import { untracked, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { isPayable } from '../description/payment-facts.ts';
import type { ShownModel } from './checkout-model.ts';

const minuteMs = 60_000;

export const lastMinutesMs = 5 * minuteMs;
/** How far the phone's clock may differ from the service's, for a time of day to be compared with it. */
const clockToleranceMs = minuteMs;

/** Rounds the time left up to the step in which it is announced: three minutes, then one, in the last two thirty seconds. */
export function roundTimeLeft(remainingMs: number): number {
  const stepMs =
    remainingMs > lastMinutesMs ? 3 * minuteMs : remainingMs > 2 * minuteMs ? minuteMs : minuteMs / 2;
  return Math.ceil(remainingMs / stepMs) * stepMs;
}

/** Counts down each second by the service's clock and the monotonic one, never by the phone's date, and checks at zero. */
export function useTimeLeft({ state, clock, refresh }: ShownModel) {
  const seconds = useSignal(0);
  const endMs = useComputed(() => {
    const { serviceOffsetMs } = state.value;
    if (!isPayable(state.value) || serviceOffsetMs === undefined) return undefined;
    return Date.parse(state.value.payment.expiresAt) - serviceOffsetMs;
  });
  const remainingMs = useComputed(() => {
    void seconds.value;
    return endMs.value === undefined ? undefined : Math.max(0, endMs.value - clock.now());
  });
  useSignalEffect(() => {
    void seconds.value;
    const ms = remainingMs.value;
    if (ms === undefined) return;
    if (ms === 0) return untracked(() => refresh?.());
    return clock.setTimer(
      () => {
        seconds.value += 1;
      },
      ms % 1000 || 1000,
    );
  });
  return {
    /** The time left to pay, in milliseconds; undefined while the state has no deadline or the service's clock is unknown. */
    remainingMs,
    announcedMs: useComputed(() => remainingMs.value && roundTimeLeft(remainingMs.value)),
    /** The time to pay is up, and the server has not confirmed the expiry yet. */
    isTimeUp: useComputed(() => remainingMs.value === 0),
    isTimeShort: useComputed(() => remainingMs.value !== undefined && remainingMs.value <= lastMinutesMs),
    /** The phone's clock agrees with the service's, as far as that is known. */
    isClockRight: useComputed(() => {
      const { serviceOffsetMs } = state.value;
      if (serviceOffsetMs === undefined) return true;
      return Math.abs(clock.date() - clock.now() - serviceOffsetMs) <= clockToleranceMs;
    }),
  };
}
