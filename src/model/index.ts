export {
  type Connection,
  type PaymentState,
  type PaymentView,
  paymentOf,
  type State,
} from '../core/index.ts';
export type { Messages } from '../locales/messages.ts';
export {
  type CheckoutModel,
  type CheckoutModelOptions,
  createCheckoutModel,
} from './checkout-model.ts';
export { formatCountdown, formatMoney, groupAccountNumber, plainAmount, type Text } from './text.ts';
export { missingAmount, wordsOf } from './words.ts';
