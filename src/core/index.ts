export {
  CheckoutError,
  DedicatedAccountView,
  type Money,
  type PaymentView,
  parseWebUrl,
  Session,
} from '../contract/index.ts';
export { createController } from './controller.ts';
export { createCountdown } from './countdown.ts';
export type { Environment } from './environment.ts';
export {
  type CheckoutEventDetails,
  type CheckoutEventName,
  checkoutEventNames,
  type Emit,
} from './events.ts';
export { loadPart } from './load-part.ts';
export type { SessionWorkOptions } from './session-work.ts';
export {
  type Connection,
  canBeSent,
  initialState,
  type PaymentState,
  paymentOf,
  referenceOf,
  type State,
  type StateName,
} from './state.ts';
