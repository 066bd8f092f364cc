import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Checking, isClaimed, paymentOf, referenceOf } from '../../core/machine/state.ts';
import type { StateDetails } from '../description/explanation.ts';
import type { CheckoutModel } from './checkout-model.ts';

/** Longer than a check usually takes (a minute), and than a slow bank takes (two or three). */
const takingLongMs = 300_000;
/** Longer than an account usually takes, and before a shopper gives up. */
const loadingLongMs = 8000;

export type TrackedDetails = {
  readonly details: ReadonlySignal<StateDetails>;
  readonly stop: () => void;
};

/** Tracks the details of the current state. */
export function trackStateDetails({ state, clock }: CheckoutModel): TrackedDetails {
  // A failed or repeated attempt does not restart the time.
  const isLoading = computed(() => state.value.name === 'loading');
  const claimed = computed(() => (isClaimed(state.value) ? referenceOf(state.value.payment) : undefined));
  const loading = trackDelay(clock, () => (isLoading.value ? loadingLongMs : undefined));
  const checking = trackDelay(clock, () => {
    if (claimed.value === undefined) return undefined;
    const { claimedAtMs = clock.now() } = state.peek() as Checking;
    return claimedAtMs + takingLongMs - clock.now();
  });
  const kept = trackKept(state);
  return {
    details: computed(() => ({
      isLoadingLong: loading.isOver.value,
      isTakingLong: checking.isOver.value,
      isKept: kept.isKept.value,
    })),
    stop() {
      for (const { stop } of [loading, checking, kept]) stop();
    },
  };
}

/** Tracks whether a delay has passed. It starts again when a signal that `delayMs` reads changes; undefined means that there is no delay. */
function trackDelay({ setTimer }: CheckoutModel['clock'], delayMs: () => number | undefined) {
  const isOver = signal(false);
  const stop = effect(() => {
    const ms = delayMs();
    isOver.value = ms !== undefined && ms <= 0;
    if (ms === undefined || isOver.peek()) return;
    return setTimer(() => {
      isOver.value = true;
    }, ms);
  });
  return { isOver, stop };
}

/** Tracks whether the shopper's request for another account brought the payment back that it should have replaced. */
function trackKept(state: CheckoutModel['state']) {
  const isKept = signal(false);
  let replaced: string | undefined;
  const stop = effect(() => {
    const current = state.value;
    const payment = paymentOf(current);
    const reference = payment && referenceOf(payment);
    if (current.name === 'loading') replaced = reference;
    isKept.value = current.name === 'expired' && replaced === reference;
  });
  return { isKept, stop };
}
