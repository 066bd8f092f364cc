import type { PaymentView, State } from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';
import { formatMoney, type Speech } from './text.ts';

type Key = keyof Messages;

/** What a screen says first, from the first moment on. It changes only with the state, so that it can be announced. */
export function titleOf(state: State, speech: Speech): string {
  return speech.text(titleKey(state), valuesOf(state, speech.locale));
}

/** What has to stand below the title before anything more is loaded; an empty text where there is nothing. */
export function firstLeadOf(state: State, { text }: Speech): string {
  if (state.name === 'awaitingTransfer') return text('transferLead');
  if (state.name === 'expired') return text('expiredWarning');
  return state.name === 'checking' && state.because === 'unclear' ? text('unclearWarning') : '';
}

/** What is still to be sent when a part has arrived, in minor units; 0 otherwise. */
export function missingAmount({ amount, chargedAmount }: PaymentView): number {
  return chargedAmount > 0 ? Math.max(0, amount.value - chargedAmount) : 0;
}

function titleKey(state: State): Key {
  switch (state.name) {
    case 'loading':
      return state.failures > 0 ? 'stillTrying' : 'loading';
    case 'awaitingTransfer':
      return 'transferTitle';
    case 'checking':
      return state.because === 'unclear' ? 'unclearTitle' : 'checkingTitle';
    case 'expired':
      return state.payment.outcome === 'replaced' ? 'replacedTitle' : 'expiredTitle';
    case 'failed':
      return state.payment.outcome === 'amountMismatch' ? 'amountMismatchTitle' : 'failedTitle';
    default:
      return `${state.name}Title`;
  }
}

/** What messages may speak of. */
export function valuesOf(state: State, locale: string): Record<string, string> {
  if (!('payment' in state)) return {};
  const { amount, chargedAmount, expiresAt } = state.payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, locale);
  return {
    amount: format(amount.value),
    charged: format(chargedAmount),
    missing: format(missingAmount(state.payment)),
    excess: format(Math.max(0, chargedAmount - amount.value)),
    time: new Date(expiresAt).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' }),
  };
}
