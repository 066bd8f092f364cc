import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { State } from '../../core/machine/state.ts';
import type { CheckoutModel } from './checkout-model.ts';

export type Leaving = {
  /** Where the shopper wants to go, while the dialog asks for confirmation. */
  readonly pendingLeave: ReadonlySignal<(() => void) | undefined>;
  /** Calls `go`; while money may be on its way, it first asks the shopper to confirm. */
  readonly leave: (go: () => void) => void;
  readonly cancelLeave: () => void;
  readonly stop: () => void;
};

/** Returns true while money may be on its way. Money that has arrived needs nothing more from the shopper, even before it is confirmed. */
export function isMoneyUnderway(state: State): boolean {
  switch (state.name) {
    case 'awaitingTransfer':
    case 'checking':
    case 'partlyPaid':
      return true;
    case 'expired':
      return state.payment.outcome !== 'replaced';
    default:
      return false;
  }
}

/** Asks the shopper to confirm before leaving while money may be on its way. */
export function confirmLeaving({ state }: CheckoutModel): Leaving {
  const pendingLeave = signal<(() => void) | undefined>(undefined);
  const cancelLeave = (): void => {
    pendingLeave.value = undefined;
  };
  return {
    pendingLeave,
    cancelLeave,
    leave(go: () => void) {
      if (isMoneyUnderway(state.peek())) pendingLeave.value = go;
      else go();
    },
    stop: effect(() => {
      if (!isMoneyUnderway(state.value)) cancelLeave();
    }),
  };
}
