import type { State } from '../core/index.ts';

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
