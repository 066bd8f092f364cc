import type { State } from '../../core/state.ts';
import { formatMoney } from '../../i18n/format-money.ts';
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

/** Returns the values in a state's messages, each computed when a message needs it: formatting takes milliseconds on a slow phone. */
export function messageValues(state: State, translator: Translator): Record<string, string> {
  if (!('payment' in state)) return {};
  const { payment } = state;
  const { amount, chargedAmount, orderChargedAmount = chargedAmount } = payment;
  const format = (value: number): string => formatMoney({ ...amount, value }, translator);
  return {
    get amount() {
      return format(amount.value);
    },
    get charged() {
      return format(chargedAmount);
    },
    get received() {
      return format(chargedAmount || amount.value);
    },
    get total() {
      return format(orderChargedAmount);
    },
    get earlier() {
      return format(receivedOnOtherPayments(payment));
    },
    get missing() {
      return format(missingAmount(payment));
    },
    get excess() {
      return format(Math.max(0, chargedAmount - amount.value));
    },
    get refundTime() {
      return translator.text('refundTime');
    },
    get sent() {
      return translator.text('sent');
    },
    get sentRest() {
      return translator.text('sentRest');
    },
  };
}
