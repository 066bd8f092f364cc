export {
  CheckoutError,
  type CheckoutErrorCode,
  type Money,
  type Outcome,
  type PaymentStatus,
  type PaymentView,
  type Session,
} from './contract/index.ts';
export type { CheckoutEventDetails, CheckoutEventName } from './core/events.ts';
export type { StateName } from './core/state.ts';
export { allowOrigins } from './entry/attributes.ts';
export {
  createTransferCheckout,
  mountCheckout,
  resume,
  type TransferCheckout,
} from './entry/create-widget.ts';
export { type RedirectOptions, redirectToCheckout } from './entry/redirect.ts';
export { wasOpen } from './entry/reopen.ts';
export type { AddedLanguage, CustomText, CustomTexts, Messages, PartialMessages } from './i18n/messages.ts';
export type { Theme } from './options/appearance.ts';
export type { CheckoutCallbacks, CheckoutEvent, CheckoutOptions } from './options/options.ts';
export { forget } from './widget/dom/site-storage.ts';
