export type { Connection, Money, PaymentState, PaymentView, State } from '../core/index.ts';
export { paymentOf } from '../core/index.ts';
export type { Messages } from '../locales/en.ts';
export { type CheckoutModel, type CheckoutModelOptions, createCheckoutModel } from './checkout-model.ts';
export {
  accountAsText,
  formatCountdown,
  formatMoney,
  groupAccountNumber,
  plainAmount,
  type Text,
} from './text.ts';
export { missingAmount, type Words, wordsOf } from './words.ts';
