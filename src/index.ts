export {
  CheckoutError,
  type CheckoutErrorCode,
  type DedicatedAccountView,
  type Money,
  type Outcome,
  type PaymentStatus,
  type PaymentView,
  type Session,
} from './contract/index.ts';
export type { CheckoutEventDetails, CheckoutEventName } from './core/machine/checkout-events.ts';
export type { StateName } from './core/machine/state.ts';
export type { TransferCheckout } from './entry/create-widget.ts';
export { createTransferCheckout, mountCheckout, resume } from './entry/mount-checkout.ts';
export { allowOrigins } from './entry/options/allowed-origins.ts';
export { type RedirectOptions, redirectToCheckout } from './entry/redirect.ts';
export { wasOpen } from './entry/reopen/was-open.ts';
export { type DedicatedAccountOptions, showDedicatedAccount } from './entry/show-dedicated-account.ts';
export type { AddedLanguage, CustomText, CustomTexts, Messages, PartialMessages } from './i18n/messages.ts';
export type { CheckoutCallbacks, CheckoutEvent } from './options/callbacks.ts';
export type { CheckoutOptions, Theme } from './options/options.ts';
export { forget } from './widget/dom/site-storage.ts';
