import type { State } from '../../core/machine/state.ts';
import { formatMoney } from '../../i18n/format-money.ts';
import { formatDeadline } from '../../i18n/format-time.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { Translator } from '../../i18n/translator.ts';
import {
  isExpiredPartlyPaid,
  isPaymentUnknown,
  missingAmount,
  receivedOnOtherPayments,
  uncertaintyOf,
} from './payment-facts.ts';

type Key = keyof Messages;

/** Returns the title of a screen. Once the time to pay is up, it no longer asks for a transfer. */
export function titleOf(state: State, translator: Translator, isTimeUp = false): string {
  return translator.text(isTimeUp ? 'timeIsUpTitle' : titleKey(state), messageValues(state, translator));
}

function titleKey(state: State): Key {
  switch (state.name) {
    case 'loading':
      return state.failures > 0 ? 'stillTrying' : state.stored ? 'lookingUp' : 'loading';
    case 'awaitingTransfer':
      return 'transferTitle';
    case 'checking': {
      const uncertainty = uncertaintyOf(state);
      if (uncertainty) return `${uncertainty}Title`;
      return missingAmount(state.payment) > 0 ? 'checkingRestTitle' : 'checkingTitle';
    }
    case 'expired':
      if (isExpiredPartlyPaid(state)) return 'expiredPartTitle';
      return state.payment.outcome === 'replaced' ? 'replacedTitle' : 'expiredTitle';
    case 'failed':
      return state.payment.outcome === 'amountMismatch' ? 'amountMismatchTitle' : 'failedTitle';
    case 'unavailable':
      return isPaymentUnknown(state) ? 'elsewhereTitle' : 'unavailableTitle';
    default:
      return `${state.name}Title`;
  }
}

/** Returns the amounts, times and button labels that replace the `{name}`s in a state's messages. */
export function messageValues(state: State, translator: Translator): Record<string, string> {
  if (!('payment' in state)) return {};
  const { amount, chargedAmount, orderChargedAmount = chargedAmount } = state.payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, translator);
  return {
    amount: format(amount.value),
    charged: format(chargedAmount),
    total: format(orderChargedAmount),
    earlier: format(receivedOnOtherPayments(state.payment)),
    missing: format(missingAmount(state.payment)),
    excess: format(Math.max(0, chargedAmount - amount.value)),
    time: formatDeadline(state.payment, translator),
    refundTime: translator.text('refundTime'),
    sent: translator.text('sent'),
    sentRest: translator.text('sentRest'),
  };
}
