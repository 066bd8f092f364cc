import { effect, signal } from '@preact/signals';
import { type PaymentView, paymentOf, referenceOf } from '../core/index.ts';
import type { CheckoutModel } from './checkout-model.ts';
import type { Timers } from './timers.ts';

/** After that a look is not the usual minute any more, nor a slow bank's two or three. */
const longMs = 300_000;

const shownReference = (payment: PaymentView | undefined): string | undefined =>
  payment && referenceOf(payment);

/** Notes what the state of a moment does not show: how long it has lasted, and what was asked for before. */
export function followStory({ state, clock }: CheckoutModel): Pick<Timers, 'isLong' | 'isKept' | 'stop'> {
  const isLong = signal(false);
  const isKept = signal(false);
  /** Which payment's money is looked for. */
  let looking: string | undefined;
  /** For which payment another was asked. */
  let left: string | undefined;
  let cancel = (): void => {};
  const stopLooking = effect(() => {
    const now = state.value;
    const reference = shownReference(paymentOf(now));
    if (now.name === 'loading') left = shownReference(now.previous);
    isKept.value = now.name === 'expired' && left === reference;
    const sent = now.name === 'checking' && now.because === 'sent' ? now : undefined;
    const next = sent && reference;
    if (next === looking) return;
    looking = next;
    cancel();
    isLong.value = false;
    if (!sent) return;
    const tell = (): void => {
      isLong.value = true;
    };
    const restMs = (sent.saidAtMs ?? clock.now()) + longMs - clock.now();
    if (restMs > 0) cancel = clock.setTimer(tell, restMs);
    else tell();
  });
  return {
    isLong,
    isKept,
    stop() {
      stopLooking();
      cancel();
    },
  };
}
