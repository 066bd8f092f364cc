export {
  CheckoutError,
  type Connection,
  canClaimTransfer,
  initialState,
  isClaimed,
  isPaid,
  knownReference,
  loadLazyPart,
  type PaymentState,
  type PaymentView,
  paymentOf,
  referenceOf,
  type State,
} from '../core/index.ts';
export { type LanguageOptions, languageName, offeredLanguages } from '../i18n/choose-language.ts';
export { formatMoney, groupAccountNumber, plainAmount } from '../i18n/format-money.ts';
export {
  formatCountdown,
  formatDateTime,
  formatDeadline,
  formatDuration,
  roundTimeLeft,
} from '../i18n/format-time.ts';
export type { Messages, PartialMessages } from '../i18n/messages.ts';
export { directionOf, spokenBy, type Translate, type Translator } from '../i18n/translator.ts';
export type { UssdBank } from '../options/options.ts';
export {
  type Actions,
  type CheckoutModel,
  type CheckoutModelOptions,
  createCheckoutModel,
} from './checkout-model.ts';
export { accountAsText } from './description/account-text.ts';
export { canStillPay, connectionStatus, lastCheckedText } from './description/connection-status.ts';
export {
  descriptionOf,
  explanationOf,
  policyKeys,
  type StateDetails,
  subtitleOf,
} from './description/explanation.ts';
export {
  isBeingChecked,
  isExpiredPartlyPaid,
  isPayable,
  isPaymentUnknown,
  missingAmount,
  type PayableState,
  payableView,
  uncertaintyOf,
} from './description/payment-facts.ts';
export { type Receipt, receiptLines } from './description/receipt-lines.ts';
export { titleOf } from './description/title.ts';
export { isMoneyUnderway } from './leaving.ts';
export type { Settings } from './settings.ts';
export { stateDetailsOf } from './state-details.ts';
export { createStaticModel } from './static-model.ts';
export { lastMinutesMs } from './time-left.ts';
export { createViewState, type ViewState } from './view-state.ts';
