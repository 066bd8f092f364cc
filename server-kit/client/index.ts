/**
 * The signed client of the payments service, and the signatures of its requests and callbacks: for servers that do without the
 * checkout. Runs on every platform with fetch and WebCrypto.
 */
export {
  CheckoutError,
  type CheckoutErrorCode,
  type Money,
  type PaymentStatus,
  type PaymentView,
} from '../../src/contract/index.ts';
export type { App, AppRegistration, AppUpdate } from './api/app.ts';
export type { CheckoutLink, CheckoutLinkRequest } from './api/checkout-link.ts';
export type {
  DedicatedAccount,
  DedicatedAccountListQuery,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
  DedicatedAccountStatus,
} from './api/dedicated-account.ts';
export { type Dialect, type DialectChoices, defaultDialect } from './api/dialect.ts';
export type { Operation } from './api/endpoints.ts';
export type { Currency, OpenEnum } from './api/fields.ts';
export type { Invoice, InvoiceCancelRequest, InvoiceStatus } from './api/invoice.ts';
export type {
  AcceptedAmountPolicy,
  Payment,
  PaymentInitiation,
  PaymentInitiationRequest,
} from './api/payment.ts';
export type { ConfirmationState, Payout, PayoutListQuery, PayoutStatus } from './api/payout.ts';
export type { TaxRate, TaxRateListQuery, TaxType } from './api/tax-rate.ts';
export type { Wait } from './async/wait.ts';
export { createPaymentsClient, type PaymentsClient } from './client.ts';
export type { PaymentsClientOptions } from './client-options.ts';
export {
  ApiError,
  AuthenticationError,
  IdempotencyError,
  InvalidRequestError,
  PaymentsError,
  type PaymentsErrorCode,
  type PaymentsErrorDetails,
} from './errors/payments-error.ts';
export type { OnError } from './errors/report-error.ts';
export type { CallOptions } from './options/call-options.ts';
export { isPaid, type PaymentIdentity } from './platform/is-paid.ts';
export { toMajorUnits, toMinorUnits } from './platform/minor-units.ts';
export { openPayment } from './platform/open-payment.ts';
export type { OpenedPayment, OpenPaymentRequest, PaymentService } from './platform/opened-payment.ts';
export { holdsMoney } from './platform/payment-money.ts';
export {
  createPaymentRoutes,
  type FindPaymentRequest,
  type PaymentRoutes,
  type PaymentRoutesOptions,
} from './platform/payment-routes.ts';
export { type PlatformPayment, toPaymentView } from './platform/payment-view.ts';
export type { Hooks, RequestEvent, ResponseEvent } from './request/hooks.ts';
export type { List, Page } from './request/pagination.ts';
export type { RetryPolicy } from './request/retry.ts';
export type { AppsResource } from './resources/apps.ts';
export type { CheckoutResource } from './resources/checkout.ts';
export type { DedicatedAccountsResource } from './resources/dedicated-accounts.ts';
export type { InvoicesResource } from './resources/invoices.ts';
export type { PaymentsResource } from './resources/payments.ts';
export type { PayoutsResource } from './resources/payouts.ts';
export type { TaxRatesResource } from './resources/tax-rates.ts';
export {
  type Callback,
  type CallbackKind,
  parseCallback,
  type SignCallbackInput,
  signCallback,
  type VerifyCallbackInput,
  verifyCallback,
} from './signing/callbacks.ts';
export {
  type RequestSignature,
  SignatureError,
  type SignatureErrorCode,
  type SignRequestInput,
  signatureHeaders,
  signRequest,
  type VerifyRequestInput,
  verifyRequest,
} from './signing/signature.ts';
