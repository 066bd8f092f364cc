/**
 * The core: signed requests to the payments service, its payments, and the routes of the widget, for shops that store their payments
 * themselves. Runs on every platform with fetch and WebCrypto; `toNodeListener` serves it with node:http.
 */
export {
  CheckoutError,
  type CheckoutErrorCode,
  type Money,
  type PaymentStatus,
  type PaymentView,
} from '../../src/contract/index.ts';
export type { CallOptions } from './call.ts';
export { createPaymentsClient, type PaymentsClient, type PaymentsClientOptions } from './client.ts';
export type {
  CheckoutLink,
  CheckoutLinkRequest,
  Endpoint,
  Payment,
  PaymentInitiation,
  PaymentInitiationRequest,
} from './endpoints.ts';
export {
  ApiError,
  AuthenticationError,
  IdempotencyError,
  InvalidRequestError,
  PaymentsError,
  type PaymentsErrorCode,
} from './errors.ts';
export type { FetchHandler, PlainHandler, PlainRequest, PlainResponse } from './http.ts';
export { type NodeListener, toNodeListener } from './node.ts';
export { type Dialect, defaultDialect } from './options.ts';
export {
  holdsMoney,
  isPaid,
  type OpenedPayment,
  type OpenPaymentRequest,
  openLink,
  openPayment,
  type StoredOpenedPayment,
  toPaymentView,
} from './payment.ts';
export { createPaymentRoutes, type PaymentRoutesOptions } from './payment-routes.ts';
export type { PageRequest } from './routes.ts';
export {
  type Callback,
  type CallbackKind,
  parseCallback,
  type RequestSignature,
  SignatureError,
  type SignatureErrorCode,
  type SignRequestInput,
  signRequest,
} from './signature.ts';
