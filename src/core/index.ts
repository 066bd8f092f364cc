export { CheckoutError, type Money, type PaymentView, parseWebUrl, Session } from '../contract/index.ts';
export { type CheckoutEvents, createController } from './controller.ts';
export type { Environment } from './environment.ts';
export {
  type Connection,
  initialState,
  type PaymentState,
  paymentOf,
  type State,
  type StateName,
} from './machine.ts';
