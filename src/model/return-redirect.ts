import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { CheckoutModel } from './checkout-model.ts';

export type ReturnRedirect = {
  /** Seconds until the page returns to the shop; undefined when it does not. */
  readonly returnInSeconds: ReadonlySignal<number | undefined>;
  readonly cancelReturn: () => void;
  readonly stop: () => void;
};

/** Counts down to the redirect to `returnUrl`, once the payment has succeeded on this page. */
export function startReturnRedirect(
  { canAutoReturn, settings, clock }: CheckoutModel,
  navigate: (url: string) => void,
): ReturnRedirect {
  const returnInSeconds = signal<number | undefined>(undefined);
  let cancelTimer = (): void => {};
  const cancelReturn = (): void => {
    cancelTimer();
    returnInSeconds.value = undefined;
  };
  const stopEffect = effect(() => {
    const { returnUrl, returnAfterSeconds } = settings.value;
    cancelReturn();
    if (!canAutoReturn.value || !returnUrl || returnAfterSeconds === undefined) return;
    const count = (seconds: number): void => {
      returnInSeconds.value = seconds;
      if (seconds > 0) cancelTimer = clock.setTimer(() => count(seconds - 1), 1000);
      else navigate(returnUrl);
    };
    count(returnAfterSeconds);
  });
  return {
    returnInSeconds,
    cancelReturn,
    stop() {
      stopEffect();
      cancelTimer();
    },
  };
}
