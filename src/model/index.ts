export {
  type Connection,
  canBeSent,
  DedicatedAccountView,
  initialState,
  type PaymentState,
  type PaymentView,
  paymentOf,
  referenceOf,
  type State,
} from '../core/index.ts';
export type { Messages, Words } from '../locales/messages.ts';
export {
  type Actions,
  type CheckoutModel,
  type CheckoutModelOptions,
  createCheckoutModel,
  type Settings,
  type ShopOptions,
  type UssdBank,
} from './checkout-model.ts';
export type { LanguageOptions } from './language.ts';
export {
  directionOf,
  formatMoney,
  groupAccountNumber,
  plainAmount,
  type Speech,
  type Text,
} from './text.ts';
export { firstLeadOf, missingAmount, titleOf } from './words.ts';
