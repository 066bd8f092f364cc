import { canRetry } from '../../core/back-off.ts';
import { knownReference, type PaymentState, type State } from '../../core/state.ts';
import { formatMoney } from '../../i18n/format-money.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { MessageValues, Translator } from '../../i18n/translator.ts';
import {
  isExpiredPartlyPaid,
  isPaymentUnknown,
  missingAmount,
  overpaidTotal,
  receivedOnOtherPayments,
  uncertaintyOf,
} from './payment-facts.ts';

type Key = keyof Messages;

export type StateDetails = {
  readonly isLoadingLong?: boolean | undefined;
  readonly isTakingLong?: boolean | undefined;
  /** The shopper asked for a new account, and the server kept this payment. */
  readonly isKept?: boolean | undefined;
};

/** The messages that are shown where a merchant has set neither this policy nor `refundPolicy`, and that either would contradict. */
const policyDefaults: { readonly [Name in Key]?: readonly Key[] } = {
  refundPolicy: ['mismatchRefundLead', 'refundHelp'],
  overpaidPolicy: ['refundLead', 'refundHelp'],
  failedPolicy: ['refundHelp'],
  reversedPolicy: ['reversedHelp', 'refundHelp'],
};
/** Messages without a text of ours. Nothing stands in for `latePolicy`. */
export const policyKeys = ['latePolicy', ...Object.keys(policyDefaults)];

const subtitleKeys: { readonly [Name in State['name']]?: Key } = {
  awaitingTransfer: 'transferLead',
  partlyPaid: 'partlyPaidLead',
  expired: 'expiredWarning',
};

/** Short subtitles, for when large text leaves room for only a few words. */
const shortSubtitleKeys: typeof subtitleKeys = {
  awaitingTransfer: 'transferShortLead',
  partlyPaid: 'partArrived',
};

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

export function descriptionOf(
  state: State,
  translator: Translator,
  details?: StateDetails,
): readonly string[] {
  return [subtitleOf(state, translator), ...explanationOf(state, translator, details)].filter(Boolean);
}

export function subtitleOf(state: State, translator: Translator, isShort = false): string {
  const key = (isShort ? shortSubtitleKeys : subtitleKeys)[state.name];
  return key ? translator.text(key, messageValues(state, translator)) : '';
}

export function explanationOf(
  state: State,
  translator: Translator,
  details: StateDetails = {},
): readonly string[] {
  const values = messageValues(state, translator);
  const translate = (key: Key): string => translator.text(key, values);
  const translatePolicy = (key: Key): string | readonly string[] => {
    const defaults = policyDefaults[key];
    return defaults ? translate('refundPolicy') || defaults.map(translate) : '';
  };
  const isUnpaid = 'payment' in state && state.payment.outcome !== 'paid';
  const hasEarlierMoney = isUnpaid && receivedOnOtherPayments(state.payment) > 0;
  return [...stateKeys(state, details), ...(hasEarlierMoney ? (['earlierMoneyLead'] as const) : [])]
    .flatMap((key) => translate(key) || translatePolicy(key))
    .filter(Boolean);
}

function overpaidKeys({ payment }: PaymentState, otherwise: readonly Key[]): readonly Key[] {
  if (overpaidTotal(payment) !== undefined) return ['paidTwiceLead', 'overpaidPolicy'];
  return payment.chargedAmount > payment.amount.value ? ['overpaidLead', 'overpaidPolicy'] : otherwise;
}

function stateKeys(state: State, details: StateDetails): readonly Key[] {
  switch (state.name) {
    case 'loading':
      if (!details.isLoadingLong) return [];
      // The shopper may have paid into an account that was shown before.
      return knownReference(state) ? ['unclearWarning', 'lostLead'] : ['noAccountLead'];
    case 'checking':
      return checkingKeys(state, details);
    case 'awaitingTransfer':
      // The money on an earlier account says more.
      return receivedOnOtherPayments(state.payment) > 0 ? [] : ['otherAmountLead'];
    case 'confirming':
      return ['confirmingLead', 'closeLead'];
    case 'succeeded':
      return overpaidKeys(state, ['succeededLead']);
    case 'expired':
      if (state.payment.outcome === 'replaced') return ['replacedLead'];
      if (isExpiredPartlyPaid(state)) return ['expiredPartLead', 'latePolicy', 'askShop'];
      return details.isKept ? ['keptLead'] : ['expiredQuestion', 'expiredLead'];
    case 'receivedLate':
      return ['receivedLateLead', 'latePolicy', ...overpaidKeys(state, ['askShop'])];
    case 'failed':
      return state.payment.outcome === 'amountMismatch'
        ? ['amountMismatchLead', 'refundPolicy']
        : ['failedLead', 'failedPolicy'];
    case 'reversed':
      return ['reversedLead', 'reversedPolicy'];
    case 'unavailable':
      if (isPaymentUnknown(state)) return ['elsewhereLead'];
      return [
        'noAccountWarning',
        state.code === 'network_error' ? 'unreachableLead' : 'unavailableLead',
        canRetry(state) ? 'keepsTrying' : 'stopsTrying',
        ...(state.stored ? ([state.stored.isClaimed ? 'claimNotChecked' : 'notCheckedYet'] as const) : []),
        ...(knownReference(state) ? (['lostLead'] as const) : []),
      ];
    default:
      return [];
  }
}

function checkingKeys(state: PaymentState<'checking'>, { isTakingLong }: StateDetails): readonly Key[] {
  const uncertainty = uncertaintyOf(state);
  if (uncertainty) return uncertainty === 'link' ? ['linkLead'] : ['unclearWarning', `${uncertainty}Lead`];
  const { payment } = state;
  const partKeys: readonly Key[] = missingAmount(payment) > 0 ? ['partArrived'] : [];
  if (isTakingLong) return [...partKeys, 'checkingLong', 'checkingAmount', 'askShop'];
  return [...partKeys, payment.outcome === 'expired' ? 'checkingLate' : 'checkingLead', 'closeLead'];
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
