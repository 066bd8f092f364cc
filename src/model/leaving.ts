import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { State } from '../core/index.ts';
import type { CheckoutModel } from './checkout-model.ts';

export type Leaving = {
  /** Where the shopper wants to go, while the dialog asks for confirmation. */
  readonly pendingLeave: ReadonlySignal<(() => void) | undefined>;
  /** Calls `go` where the state allows leaving, asks for confirmation where money may be on its way, or does nothing. */
  readonly leave: (go: () => void) => void;
  readonly cancelLeave: () => void;
  readonly stop: () => void;
};

/**
 * Returns whether the shopper may leave a screen: `confirm` while money may be on its way, `blocked` while money that has arrived is
 * being confirmed.
 */
export function leavePolicyOf(state: State): 'allowed' | 'confirm' | 'blocked' {
  switch (state.name) {
    case 'confirming':
      return 'blocked';
    case 'awaitingTransfer':
    case 'checking':
    case 'partlyPaid':
      return 'confirm';
    case 'expired':
      return state.payment.outcome === 'replaced' ? 'allowed' : 'confirm';
    default:
      return 'allowed';
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
      const policy = leavePolicyOf(state.peek());
      if (policy === 'allowed') go();
      else if (policy === 'confirm') pendingLeave.value = go;
    },
    stop: effect(() => {
      if (leavePolicyOf(state.value) !== 'confirm') cancelLeave();
    }),
  };
}
