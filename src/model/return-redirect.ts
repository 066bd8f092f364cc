import { effect, signal } from '@preact/signals';
import type { CheckoutModel } from './checkout-model.ts';
import type { Timers } from './timers.ts';

/** Counts down to the way back to the shop, where a payment that was seen to succeed leads there by itself. */
export function offerReturn(
  { isFreeToReturn, settings, clock }: CheckoutModel,
  go: (url: string) => void,
): Pick<Timers, 'returnInSeconds' | 'stopReturning' | 'stop'> {
  const returnInSeconds = signal<number | undefined>(undefined);
  let cancel = (): void => {};
  const stopReturning = (): void => {
    cancel();
    returnInSeconds.value = undefined;
  };
  const stopLooking = effect(() => {
    const { returnUrl, returnAfterSeconds } = settings.value;
    stopReturning();
    if (!isFreeToReturn.value || !returnUrl || returnAfterSeconds === undefined) return;
    const count = (seconds: number): void => {
      returnInSeconds.value = seconds;
      if (seconds > 0) cancel = clock.setTimer(() => count(seconds - 1), 1000);
      else go(returnUrl);
    };
    count(returnAfterSeconds);
  });
  return {
    returnInSeconds,
    stopReturning,
    stop() {
      stopLooking();
      cancel();
    },
  };
}
