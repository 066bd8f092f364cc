import { effect, signal } from '@preact/signals';
import type { CheckoutModel } from './checkout-model.ts';
import { isLookedFor } from './payment-facts.ts';
import type { Timers } from './timers.ts';

const lookStepMs = 5000;

/** Measures how long ago the server last responded, while the network is away or money is looked for. */
export function measureLook({
  state,
  clock,
  refresh,
}: CheckoutModel): Pick<Timers, 'sinceLookMs' | 'answer' | 'checkAgain' | 'stop'> {
  const sinceLookMs = signal<number | undefined>(undefined);
  const answer = signal<number | undefined>(undefined);
  let asked = 0;
  let isAsked = false;
  let seenMs: number | undefined;
  let cancel = (): void => {};
  const stopLooking = effect(() => {
    const { isOffline, lookedAtMs } = state.value;
    if (lookedAtMs !== seenMs) {
      answer.value = isAsked ? asked : undefined;
      isAsked = false;
      seenMs = lookedAtMs;
    }
    const isShown = isOffline || isLookedFor(state.value);
    cancel();
    const tell = (): void => {
      sinceLookMs.value = isShown && lookedAtMs !== undefined ? clock.now() - lookedAtMs : undefined;
      if (isShown) cancel = clock.setTimer(tell, lookStepMs);
    };
    tell();
  });
  return {
    sinceLookMs,
    answer,
    checkAgain() {
      asked++;
      isAsked = true;
      refresh();
    },
    stop() {
      stopLooking();
      cancel();
    },
  };
}
