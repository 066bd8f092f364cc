export {
  type Connection,
  canBeSent,
  DedicatedAccountView,
  initialState,
  loadPart,
  type PaymentState,
  type PaymentView,
  paymentOf,
  referenceOf,
  type State,
} from '../core/index.ts';
export type { LanguageOptions } from '../i18n/language.ts';
export type { Messages, Words } from '../i18n/messages.ts';
export { formatCountdown, formatDuration, formatMoment, spokenStep } from '../i18n/moments.ts';
export {
  directionOf,
  formatMoney,
  groupAccountNumber,
  plainAmount,
  type Speech,
  type Text,
} from '../i18n/text.ts';
export { accountAsText } from './account-text.ts';
export {
  type Actions,
  type CheckoutModel,
  type CheckoutModelOptions,
  createCheckoutModel,
  type Settings,
  type ShopOptions,
  type UssdBank,
} from './checkout-model.ts';
export { createTimers } from './create-timers.ts';
export { firstLeadOf, laterLeadsOf, leadsOf, ownPolicies, type Story } from './leads.ts';
export { mayLeave } from './leaving.ts';
export {
  isElsewhere,
  isExpiredPart,
  isLookedFor,
  isToPay,
  missingAmount,
  type ToPay,
  viewToPay,
} from './payment-facts.ts';
export { receiptLines } from './receipt-lines.ts';
export { createStillModel } from './still-model.ts';
export type { Timers } from './timers.ts';
export { titleOf } from './title.ts';
