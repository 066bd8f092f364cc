export {
  CheckoutError,
  DedicatedAccountView,
  type Money,
  type PaymentView,
  parseWebUrl,
  Session,
} from '../contract/index.ts';
export { createController } from './controller.ts';
export { loadPart } from './load-part.ts';
export {
  type CheckoutEventDetails,
  type CheckoutEventName,
  checkoutEventNames,
  type Emit,
} from './machine/events.ts';
export {
  type Connection,
  canBeSent,
  initialState,
  type PaymentState,
  paymentOf,
  referenceOf,
  type State,
  type StateName,
} from './machine/state.ts';
export { createCountdown } from './page/countdown.ts';
export type { Environment } from './page/environment.ts';
export type { SessionWorkOptions } from './session-work.ts';
