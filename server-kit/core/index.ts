/**
 * Signed requests to the payments service, its payments, and the routes of the widget. Read it in this order:
 *
 * 1. `json`, `secrets`, `signature`: how a request is signed, and a callback verified
 * 2. `fields`, `endpoints`: what is sent and received; `options`: the choices of a service
 * 3. `time`, `errors`, `call`, `client`: how a call is made, repeated, and fails
 * 4. `payment`: opening a payment, whether it is paid, and what a page may see of it
 * 5. `http`, `routes`, `payment-routes`: how a page gets that; `server-kit/node` serves it with Node
 */
export type { CheckoutErrorCode, Money, PaymentStatus, PaymentView } from '../../src/contract/index.ts';
export { CheckoutError } from '../../src/contract/index.ts';
export type { CallInput, CallOptions } from './call.ts';
export { createPaymentsClient, type PaymentsClient } from './client.ts';
export type { PaymentsClientOptions } from './client-options.ts';
export type {
  CheckoutLink,
  CheckoutLinkRequest,
  Endpoint,
  Payment,
  PaymentInitiation,
  PaymentInitiationRequest,
} from './endpoints.ts';
export { PaymentsError, type PaymentsErrorCode } from './errors.ts';
export type { FetchHandler, PlainHandler, PlainRequest, PlainResponse } from './http.ts';
export { type Dialect, defaultDialect } from './options.ts';
export {
  holdsMoney,
  isPaid,
  type OpenedPayment,
  type OpenLinkRequest,
  type OpenPaymentRequest,
  openLink,
  openPayment,
  type PaymentIdentity,
  type StoredPayment,
  toPaymentView,
} from './payment.ts';
export { createPaymentRoutes, type PaymentRoutesOptions } from './payment-routes.ts';
export type { PageRequest } from './routes.ts';
export {
  type Callback,
  type ParseCallbackInput,
  parseCallback,
  SignatureError,
  type SignatureErrorCode,
  type SignRequestInput,
  signRequest,
} from './signature.ts';
export type { Wait } from './time.ts';
