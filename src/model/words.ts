import type { PaymentView, State } from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';
import { formatMoney, type Speech } from './text.ts';

type Key = keyof Messages;

/**
 * What a screen says first, also before anything more is loaded. It changes only with the state, so that it can be
 * announced.
 */
export function titleOf(state: State, speech: Speech): string {
  return speech.text(titleKey(state), valuesOf(state, speech.locale)) || speech.text('stillTrying');
}

/** What has to stand below the title before anything more is loaded; an empty text where there is nothing. */
export function firstLeadOf({ name }: State, { text }: Speech): string {
  if (name === 'awaitingTransfer') return text('transferLead');
  return name === 'expired' ? text('expiredWarning') : '';
}

/** What is still to be sent when a part has arrived, in minor units; 0 otherwise. */
export function missingAmount({ amount, chargedAmount }: PaymentView): number {
  return chargedAmount > 0 ? Math.max(0, amount.value - chargedAmount) : 0;
}

function titleKey(state: State): Key {
  if (state.name === 'loading') {
    return state.failures > 0 ? 'stillTrying' : state.isStored ? 'lookingUp' : 'loading';
  }
  return state.name === 'awaitingTransfer' ? 'transferTitle' : `${state.name}Title`;
}

/** The amounts that the first messages speak of. */
function valuesOf(state: State, locale: string): Record<string, string> {
  if (!('payment' in state)) return {};
  const { amount } = state.payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, locale);
  return { amount: format(amount.value), missing: format(missingAmount(state.payment)) };
}
