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
export type { CheckoutEventDetails, CheckoutEventName, StateName } from './core/index.ts';
export type { AddedLanguage, CustomText, CustomTexts, Messages, PartialMessages } from './i18n/messages.ts';
export type { TransferCheckout } from './mount/checkout.ts';
export { createTransferCheckout, mountCheckout, resume } from './mount/mount-checkout.ts';
export { allowOrigins } from './mount/options/allowed-origins.ts';
export { forget } from './mount/page/site-storage.ts';
export { type RedirectOptions, redirectToCheckout } from './mount/redirect.ts';
export { wasOpen } from './mount/reopen/was-open.ts';
export { type DedicatedAccountOptions, showDedicatedAccount } from './mount/show-dedicated-account.ts';
export type { CheckoutCallbacks, CheckoutEvent } from './options/callbacks.ts';
export type { CheckoutOptions, Theme } from './options/options.ts';
