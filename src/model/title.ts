import type { State } from '../core/index.ts';
import type { Messages } from '../i18n/messages.ts';
import { formatTime } from '../i18n/moments.ts';
import { formatMoney, type Speech } from '../i18n/text.ts';
import { isElsewhere, isExpiredPart, missingAmount, receivedElsewhere } from './payment-facts.ts';

type Key = keyof Messages;

/** What a screen says first. It changes only with the state, so that it can be announced. */
export function titleOf(state: State, speech: Speech): string {
  return speech.text(titleKey(state), messageValues(state, speech));
}

function titleKey(state: State): Key {
  switch (state.name) {
    case 'loading':
      return state.failures > 0 ? 'stillTrying' : state.isStored ? 'lookingUp' : 'loading';
    case 'awaitingTransfer':
      return 'transferTitle';
    case 'checking':
      if (state.because === 'unclear') return state.payment.authorizationUrl ? 'linkTitle' : 'unclearTitle';
      return missingAmount(state.payment) > 0 ? 'checkingRestTitle' : 'checkingTitle';
    case 'expired':
      if (isExpiredPart(state)) return 'expiredPartTitle';
      return state.payment.outcome === 'replaced' ? 'replacedTitle' : 'expiredTitle';
    case 'failed':
      return state.payment.outcome === 'amountMismatch' ? 'amountMismatchTitle' : 'failedTitle';
    case 'unavailable':
      return isElsewhere(state) ? 'elsewhereTitle' : 'unavailableTitle';
    default:
      return `${state.name}Title`;
  }
}

/** The amounts and times that the messages of a state speak of. */
export function messageValues(state: State, speech: Speech): Record<string, string> {
  if (!('payment' in state)) return {};
  const { amount, chargedAmount, orderChargedAmount = chargedAmount, expiresAt } = state.payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, speech.locale);
  return {
    amount: format(amount.value),
    charged: format(chargedAmount),
    total: format(orderChargedAmount),
    earlier: format(receivedElsewhere(state.payment)),
    missing: format(missingAmount(state.payment)),
    excess: format(Math.max(0, chargedAmount - amount.value)),
    time: formatTime(expiresAt, speech),
  };
}
