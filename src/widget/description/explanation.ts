import { canRetry } from '../../core/back-off.ts';
import { knownReference, type PaymentState, type State } from '../../core/state.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { Translator } from '../../i18n/translator.ts';
import {
  isExpiredPartlyPaid,
  isPaymentUnknown,
  missingAmount,
  overpaidTotal,
  receivedOnOtherPayments,
  uncertaintyOf,
} from './payment-facts.ts';
import { messageValues } from './title.ts';

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

/** The shopper may have paid into an account that was shown before. */
const mayBePaidKeys: readonly Key[] = ['unclearWarning', 'lostLead'];

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
      return knownReference(state) ? mayBePaidKeys : ['noAccountLead'];
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
