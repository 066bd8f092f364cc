import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { State } from '../../core/machine/state.ts';
import { isPayable } from '../description/payment-facts.ts';
import type { CheckoutModel } from './checkout-model.ts';

export type Leaving = {
  /** Where the shopper wants to go, while the dialog asks for confirmation. */
  readonly pendingLeave: ReadonlySignal<(() => void) | undefined>;
  /** Calls `go`; where leaving may lose the reference, it first asks the shopper to confirm. */
  readonly leave: (go: () => void) => void;
  readonly cancelLeave: () => void;
  readonly stop: () => void;
};

/**
 * Returns true where the shopper may pay, or say that the money is sent. A payment that is being checked or confirmed needs nothing more:
 * its screen says that the page can be closed.
 */
export function isShopperNeeded(state: State): boolean {
  return isPayable(state) || (state.name === 'expired' && state.payment.outcome !== 'replaced');
}

/** Asks the shopper to confirm before leaving, while the shopper is needed. */
export function confirmLeaving({ state }: CheckoutModel): Leaving {
  const pendingLeave = signal<(() => void) | undefined>(undefined);
  const cancelLeave = (): void => {
    pendingLeave.value = undefined;
  };
  return {
    pendingLeave,
    cancelLeave,
    leave(go: () => void) {
      if (isShopperNeeded(state.peek())) pendingLeave.value = go;
      else go();
    },
    stop: effect(() => {
      if (!isShopperNeeded(state.value)) cancelLeave();
    }),
  };
}
