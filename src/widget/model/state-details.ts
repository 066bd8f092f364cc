import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { PaymentView } from '../../contract/index.ts';
import { isClaimed, paymentOf, referenceOf } from '../../core/machine/state.ts';
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

const referenceIn = (payment: PaymentView | undefined): string | undefined => payment && referenceOf(payment);

/** Tracks the details of the current state. */
export function trackStateDetails(model: CheckoutModel): TrackedDetails {
  const loading = trackLoading(model);
  const payment = trackPayment(model);
  return {
    details: computed(() => ({
      isLoadingLong: loading.isLoadingLong.value,
      isTakingLong: payment.isTakingLong.value,
      isKept: payment.isKept.value,
    })),
    stop() {
      loading.stop();
      payment.stop();
    },
  };
}

function trackLoading({ state, clock }: CheckoutModel) {
  const isLoadingLong = signal(false);
  // A failed or repeated attempt does not start the time anew.
  const isLoading = computed(() => state.value.name === 'loading');
  const stop = effect(() => {
    isLoadingLong.value = false;
    if (!isLoading.value) return;
    return clock.setTimer(() => {
      isLoadingLong.value = true;
    }, loadingLongMs);
  });
  return { isLoadingLong, stop };
}

function trackPayment({ state, clock }: CheckoutModel) {
  const isTakingLong = signal(false);
  const isKept = signal(false);
  let claimedReference: string | undefined;
  let replacedReference: string | undefined;
  let cancelTimer = (): void => {};
  const stopEffect = effect(() => {
    const current = state.value;
    const reference = referenceIn(paymentOf(current));
    if (current.name === 'loading') replacedReference = referenceIn(current.previous);
    isKept.value = current.name === 'expired' && replacedReference === reference;
    const claim = isClaimed(current) ? current : undefined;
    const nextReference = claim && reference;
    if (nextReference === claimedReference) return;
    claimedReference = nextReference;
    cancelTimer();
    isTakingLong.value = false;
    if (!claim) return;
    const setTakingLong = (): void => {
      isTakingLong.value = true;
    };
    const remainingMs = (claim.claimedAtMs ?? clock.now()) + takingLongMs - clock.now();
    if (remainingMs > 0) cancelTimer = clock.setTimer(setTakingLong, remainingMs);
    else setTakingLong();
  });
  return {
    isTakingLong,
    isKept,
    stop() {
      stopEffect();
      cancelTimer();
    },
  };
}
