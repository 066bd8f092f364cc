/**
 * The server side of the checkout: a client of the payments service, and the proxy that the widget talks to.
 * Runs wherever there is fetch and WebCrypto; `transfer-checkout/server-kit/node` serves it with node:http.
 */
export {
  type Account,
  CheckoutError,
  type CheckoutErrorCode,
  type DedicatedAccountView,
  type Money,
  type Outcome,
  type PaymentStatus,
  type PaymentView,
  type Session,
} from '../src/contract/index.ts';
export type { App, AppRegistration, AppUpdate } from './api/app.ts';
export type { CheckoutLink, CheckoutLinkRequest } from './api/checkout-link.ts';
export type {
  DedicatedAccount,
  DedicatedAccountListQuery,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
  DedicatedAccountStatus,
} from './api/dedicated-account.ts';
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
export type { Bus, BusState } from './buses/bus.ts';
export { createMemoryBus } from './buses/memory.ts';
export type { CallOptions } from './call-options.ts';
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
  createCheckout,
} from './checkout.ts';
export type { CheckoutOptions, CreatePaymentRequest } from './checkout-options.ts';
export { createPaymentsClient, type PaymentsClient, type PaymentsClientOptions } from './client.ts';
export { toDedicatedAccountView } from './dedicated-account-view.ts';
export { type Dialect, type DialectChoices, defaultDialect } from './dialect.ts';
export type { OutcomeEvent, OutcomeHandlers, PaidEvent } from './effect-handlers.ts';
export {
  ApiError,
  AuthenticationError,
  IdempotencyError,
  InvalidRequestError,
  PaymentsError,
  type PaymentsErrorCode,
  type PaymentsErrorDetails,
} from './errors.ts';
export type { FetchHandler } from './fetch.ts';
export type { ClientKey, ClientRequest } from './guard/client.ts';
export type { Counters } from './guard/counters.ts';
export type { LogEntry, LogEvent, LogLevel, OnLog, RouteName } from './guard/log.ts';
export type { Gauges, Measures } from './guard/measures.ts';
export type { ReadinessReport } from './guard/readiness.ts';
export { defaultLimits, type Limit, type LimitName, type LimitsOptions } from './guard/request-limits.ts';
export type { Hooks, RequestEvent, ResponseEvent } from './hooks.ts';
export type { Limiter, LimiterOptions, LimiterVerdict } from './limits/limiter.ts';
export { createMemoryLimiter } from './limits/memory.ts';
export type { List, Page } from './lister.ts';
export type { OrderInput } from './order.ts';
export type { PaymentLink } from './payment-link.ts';
export type { PlainHandler, PlainRequest, PlainResponse } from './plain-http.ts';
export type { CallbackEvent } from './receive-callback.ts';
export type { ReconcileCounts } from './reconciler.ts';
export type { OnError } from './report.ts';
export type { AppsResource } from './resources/apps.ts';
export type { CheckoutResource } from './resources/checkout.ts';
export type { DedicatedAccountsResource } from './resources/dedicated-accounts.ts';
export type { InvoicesResource } from './resources/invoices.ts';
export type { PaymentsResource } from './resources/payments.ts';
export type { PayoutsResource } from './resources/payouts.ts';
export type { TaxRatesResource } from './resources/tax-rates.ts';
export type { RetryPolicy } from './retry.ts';
export {
  type RequestSignature,
  SignatureError,
  type SignatureErrorCode,
  type SignRequestInput,
  signatureHeaders,
  signRequest,
  type VerifyRequestInput,
  verifyRequest,
} from './signature.ts';
export type {
  Effect,
  EffectOutcome,
  EffectRun,
  EffectState,
} from './stores/effect.ts';
export { createMemoryStore } from './stores/memory.ts';
export type { PaymentRecord, RecordChange, Store, StoreMeasures } from './stores/store.ts';
export type { Wait } from './wait.ts';
