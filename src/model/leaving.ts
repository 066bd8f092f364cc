import { effect, signal } from '@preact/signals';
import type { State } from '../core/index.ts';
import type { CheckoutModel } from './checkout-model.ts';
import type { Timers } from './timers.ts';

/**
 * Whether a shopper may be led away from a screen: `freely`; after a word of warning, while money may be on its way
 * (`warned`); or not (`never`), while money that has arrived is being confirmed.
 */
export function mayLeave(state: State): 'freely' | 'warned' | 'never' {
  switch (state.name) {
    case 'confirming':
      return 'never';
    case 'awaitingTransfer':
    case 'checking':
    case 'partlyPaid':
      return 'warned';
    case 'expired':
      return state.payment.outcome === 'replaced' ? 'freely' : 'warned';
    default:
      return 'freely';
  }
}

/** Warns a shopper who wants to leave while money may be on its way. */
export function askBeforeLeaving({
  state,
}: CheckoutModel): Pick<Timers, 'leaving' | 'leave' | 'stayHere' | 'stop'> {
  const leaving = signal<(() => void) | undefined>(undefined);
  const stayHere = (): void => {
    leaving.value = undefined;
  };
  return {
    leaving,
    stayHere,
    leave(go: () => void) {
      const how = mayLeave(state.peek());
      if (how === 'freely') go();
      else if (how === 'warned') leaving.value = go;
    },
    stop: effect(() => {
      if (mayLeave(state.value) !== 'warned') stayHere();
    }),
  };
}
