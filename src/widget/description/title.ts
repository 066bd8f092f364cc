import type { State } from '../../core/state.ts';
import { formatMoney } from '../../i18n/format-money.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { MessageValues, Translator } from '../../i18n/translator.ts';
import {
  isExpiredPartlyPaid,
  isPaymentUnknown,
  missingAmount,
  receivedOnOtherPayments,
  uncertaintyOf,
} from './payment-facts.ts';

type Key = keyof Messages;

export function titleOf(state: State, translator: Translator, isTimeUp = false): string {
  return translator.text(isTimeUp ? 'timeIsUpTitle' : titleKey(state), messageValues(state, translator));
}

function titleKey(state: State): Key {
  switch (state.name) {
    case 'loading':
      if (state.isOffline) return 'offline';
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

/** Returns the values in a state's messages. Each is formatted only for a message that has it: that takes milliseconds on a slow phone. */
export function messageValues(state: State, { text, ...translator }: Translator): MessageValues {
  if (!('payment' in state)) return {};
  const { payment } = state;
  const { amount, chargedAmount, orderChargedAmount = chargedAmount } = payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, translator);
  return {
    amount: () => format(amount.value),
    charged: () => format(chargedAmount),
    received: () => format(chargedAmount || amount.value),
    total: () => format(orderChargedAmount),
    earlier: () => format(receivedOnOtherPayments(payment)),
    missing: () => format(missingAmount(payment)),
    excess: () => format(Math.max(0, chargedAmount - amount.value)),
    refundTime: () => text('refundTime'),
    sent: () => text('sent'),
    sentRest: () => text('sentRest'),
  };
}
