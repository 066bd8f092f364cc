export {
  CheckoutError,
  type Money,
  notFoundStatus,
  type PaymentView,
  parseWebUrl,
  Session,
} from '../contract/index.ts';
export { type ControllerOptions, createController } from './controller.ts';
export { canKeepPolling } from './machine/back-off.ts';
export {
  type CheckoutEventDetails,
  type CheckoutEventName,
  checkoutEventNames,
  type Emit,
} from './machine/checkout-events.ts';
export {
  type Connection,
  canClaimTransfer,
  initialState,
  isClaimed,
  isPaid,
  knownReference,
  type PaymentState,
  paymentOf,
  referenceOf,
  type State,
  type StateName,
  type StoredReference,
} from './machine/state.ts';
export { createCountdown } from './page/countdown.ts';
export type { Environment } from './page/environment.ts';
export { loadLazyPart } from './page/lazy-part.ts';
