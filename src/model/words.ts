import type { PaymentView, State } from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';
import { formatMoney, type Text } from './text.ts';

/** What a screen says first. */
export type Words = { readonly title: string; readonly leads: readonly string[] };

type Key = keyof Messages;

/**
 * The words of a state: a title, which is there from the first moment, and leads, which may be loaded later. They
 * change only when the state does, so that they can be announced.
 */
export function wordsOf(state: State, text: Text): Words {
  const [title, ...leads] = keysOf(state);
  const values = 'payment' in state ? valuesOf(state.payment) : {};
  return { title: text(title, values), leads: leads.map((key) => text(key, values)).filter(Boolean) };
}

/** What is still to be sent when a part has arrived, in minor units; 0 otherwise. */
export function missingAmount({ amount, chargedAmount }: PaymentView): number {
  return chargedAmount > 0 ? Math.max(0, amount.value - chargedAmount) : 0;
}

function keysOf(state: State): [Key, ...Key[]] {
  switch (state.name) {
    case 'loading':
      return [state.failures > 0 ? 'stillTrying' : 'loading'];
    case 'awaitingTransfer': {
      const part = missingAmount(state.payment) > 0 ? 'partlyPaid' : 'transfer';
      return [`${part}Title`, `${part}Lead`];
    }
    case 'expired': {
      const why = state.payment.outcome === 'replaced' ? 'replaced' : 'expired';
      return [`${why}Title`, 'expiredWarning', 'expiredLead'];
    }
    case 'failed': {
      const { outcome } = state.payment;
      const why = outcome === 'amountMismatch' || outcome === 'reversed' ? outcome : 'failed';
      return [`${why}Title`, `${why}Lead`];
    }
    case 'unavailable': {
      const lead = state.code === 'network_error' ? 'unreachableLead' : 'unavailableLead';
      return state.previous ? ['unavailableTitle', lead, 'lostLead'] : ['unavailableTitle', lead];
    }
    default:
      return [`${state.name}Title`, `${state.name}Lead`];
  }
}

function valuesOf({ amount, chargedAmount, ...payment }: PaymentView): Record<string, string> {
  const format = (value: number): string => formatMoney({ ...amount, value });
  return {
    amount: format(amount.value),
    charged: format(chargedAmount),
    missing: format(missingAmount({ amount, chargedAmount, ...payment })),
  };
}
