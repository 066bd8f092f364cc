/**
 * The server side of the checkout: a client of the payments service, and the proxy that the widget talks to.
 * Runs wherever there is fetch and WebCrypto; `transfer-checkout/server-kit/node` serves it with node:http.
 */
export {
  type Account,
  CheckoutError,
  type CheckoutErrorCode,
  type Money,
  type Outcome,
  type PaymentStatus,
  type PaymentView,
  type Session,
} from '../src/contract/index.ts';
export type { CheckoutLink, CheckoutLinkRequest } from './api/checkout-link.ts';
export type { Payment, PaymentInitiation, PaymentInitiationRequest } from './api/payment.ts';
export type { CallOptions } from './call.ts';
export {
  type Callback,
  type CallbackKind,
  parseCallback,
  type SignCallbackInput,
  signCallback,
  type VerifyCallbackInput,
  verifyCallback,
} from './callbacks.ts';
export {
  type Checkout,
  type CheckoutOptions,
  type CreatePaymentRequest,
  createCheckout,
} from './checkout.ts';
export { createPaymentsClient, type PaymentsClient, type PaymentsClientOptions } from './client.ts';
export { type Dialect, defaultDialect } from './dialect.ts';
export {
  ApiError,
  AuthenticationError,
  IdempotencyError,
  InvalidRequestError,
  PaymentsError,
  type PaymentsErrorCode,
} from './errors.ts';
export type { FetchHandler } from './fetch.ts';
export type { OrderInput } from './order.ts';
export type { OutcomeEvent, OutcomeHandlers } from './outcome-handlers.ts';
export type { PlainHandler, PlainRequest, PlainResponse } from './plain-http.ts';
export {
  SignatureError,
  type SignatureErrorCode,
  type SignRequestInput,
  signatureHeaders,
  signRequest,
  type VerifyRequestInput,
  verifyRequest,
} from './signature.ts';
export { createMemoryStore } from './stores/memory.ts';
export type { PaymentRecord, Store } from './stores/store.ts';
