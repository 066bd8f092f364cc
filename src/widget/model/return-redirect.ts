import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { CheckoutModel } from './checkout-model.ts';

export type ReturnRedirect = {
  /** Seconds until the page returns to the shop; undefined when it does not. */
  readonly returnInSeconds: ReadonlySignal<number | undefined>;
  /** Cancels the return for good, even if the checkout is shown again. */
  readonly cancelReturn: () => void;
  readonly stop: () => void;
};

/** Counts down to the redirect to `returnUrl`, once the payment has succeeded on this page. */
export function startReturnRedirect(
  { canAutoReturn, settings, clock }: CheckoutModel,
  navigate: (url: string) => void,
): ReturnRedirect {
  const returnInSeconds = signal<number | undefined>(undefined);
  // Other options may change meanwhile.
  const returnUrl = computed(() => settings.value.returnUrl);
  const returnAfterSeconds = computed(() => settings.value.returnAfterSeconds);
  const stop = effect(() => {
    const url = returnUrl.value;
    const firstSeconds = returnAfterSeconds.value;
    returnInSeconds.value = undefined;
    if (!canAutoReturn.value || !url || firstSeconds === undefined) return;
    let cancelTimer = (): void => {};
    const count = (seconds: number): void => {
      returnInSeconds.value = seconds;
      if (seconds > 0) cancelTimer = clock.setTimer(() => count(seconds - 1), 1000);
      else navigate(url);
    };
    count(firstSeconds);
    return () => cancelTimer();
  });
  return {
    returnInSeconds,
    cancelReturn() {
      canAutoReturn.value = false;
    },
    stop,
  };
}
