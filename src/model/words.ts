import type { PaymentView, State } from '../core/index.ts';
import { unreachable } from '../core/unreachable.ts';
import { formatMoney, type Text } from './text.ts';

/** What a screen says first, and how it means it. */
export type Words = {
  readonly title: string;
  readonly leads: readonly string[];
  readonly tone: 'busy' | 'good' | 'warning' | 'bad';
};

/** The words of a state. They change only when the state does, so that they can be announced. */
export function wordsOf(state: State, text: Text): Words {
  switch (state.name) {
    case 'loading':
      return { title: text(state.failures > 0 ? 'stillTrying' : 'loading'), leads: [], tone: 'busy' };
    case 'awaitingTransfer':
      return transferWords(state.payment, text);
    case 'confirming':
      return { title: text('confirmingTitle'), leads: [text('confirmingLead')], tone: 'busy' };
    case 'succeeded':
      return { title: text('succeededTitle'), leads: [text('succeededLead')], tone: 'good' };
    case 'expired':
      return {
        title: text(state.payment.outcome === 'replaced' ? 'replacedTitle' : 'expiredTitle'),
        leads: [text('expiredWarning'), text('expiredLead')],
        tone: 'warning',
      };
    case 'failed':
      return failedWords(state.payment, text);
    case 'unavailable': {
      const lead = state.code === 'network_error' ? 'unreachableLead' : 'unavailableLead';
      return {
        title: text('unavailableTitle'),
        leads: [text(lead), ...(state.previous ? [text('lostLead')] : [])],
        tone: 'bad',
      };
    }
    default:
      return unreachable(state);
  }
}

/** What is still to be sent when a part has arrived, in minor units; 0 otherwise. */
export function missingAmount({ amount, chargedAmount }: PaymentView): number {
  return chargedAmount > 0 ? Math.max(0, amount.value - chargedAmount) : 0;
}

function transferWords(payment: PaymentView, text: Text): Words {
  const missing = missingAmount(payment);
  const values = { ...amounts(payment), missing: formatMoney({ ...payment.amount, value: missing }) };
  return missing > 0
    ? { title: text('partlyPaidTitle', values), leads: [text('partlyPaidLead', values)], tone: 'busy' }
    : { title: text('transferTitle', values), leads: [text('transferLead')], tone: 'busy' };
}

function failedWords(payment: PaymentView, text: Text): Words {
  const values = amounts(payment);
  switch (payment.outcome) {
    case 'amountMismatch':
      return {
        title: text('amountMismatchTitle', values),
        leads: [text('amountMismatchLead')],
        tone: 'warning',
      };
    case 'reversed':
      return { title: text('reversedTitle'), leads: [text('reversedLead')], tone: 'warning' };
    default:
      return { title: text('failedTitle'), leads: [text('failedLead')], tone: 'bad' };
  }
}

function amounts({ amount, chargedAmount }: PaymentView): Record<string, string> {
  return { amount: formatMoney(amount), charged: formatMoney({ ...amount, value: chargedAmount }) };
}
