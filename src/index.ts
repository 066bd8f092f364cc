export {
  CheckoutError,
  type CheckoutErrorCode,
  type Money,
  type Outcome,
  type PaymentStatus,
  type PaymentView,
  type Session,
} from './contract/index.ts';
export type { StateName } from './core/index.ts';
export type { Messages } from './locales/messages.ts';
export { type CheckoutHandle, mountCheckout } from './mounts/inline.ts';
export type { CheckoutOptions, Theme } from './mounts/options.ts';
