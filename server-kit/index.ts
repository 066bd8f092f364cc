/**
 * The server side of the checkout: a client of the payments service, and the routes that the widget calls.
 * Runs on every platform with fetch and WebCrypto; `transfer-checkout/server-kit/node` serves it with node:http.
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
export type { Bus, BusState } from './buses/bus.ts';
export { createMemoryBus } from './buses/memory.ts';
export {
  type Checkout,
  createCheckout,
} from './checkout.ts';
export type { CheckoutOptions } from './checkout-options.ts';
export { createPaymentsClient, type PaymentsClient } from './client/client.ts';
export type { PaymentsClientOptions } from './client/client-options.ts';
export type { CallOptions } from './client/request/call-options.ts';
export type { Hooks, RequestEvent, ResponseEvent } from './client/request/hooks.ts';
export type { List, Page } from './client/request/pagination.ts';
export type { RetryPolicy } from './client/request/retry.ts';
export type { AppsResource } from './client/resources/apps.ts';
export type { CheckoutResource } from './client/resources/checkout.ts';
export type { DedicatedAccountsResource } from './client/resources/dedicated-accounts.ts';
export type { InvoicesResource } from './client/resources/invoices.ts';
export type { PaymentsResource } from './client/resources/payments.ts';
export type { PayoutsResource } from './client/resources/payouts.ts';
export type { TaxRatesResource } from './client/resources/tax-rates.ts';
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
export type { FetchHandler } from './http/fetch.ts';
export type { PlainHandler, PlainRequest, PlainResponse } from './http/plain-http.ts';
export type { ClientKey, ClientRequest } from './limits/client-key.ts';
export type { Limiter, LimiterOptions, LimiterVerdict } from './limits/limiter.ts';
export { createMemoryLimiter } from './limits/memory.ts';
export {
  createStatusPage,
  type StatusPage,
  type StatusPageOptions,
  type StatusPageRequest,
} from './operator/status-page.ts';
export type { OutcomeEvent, OutcomeHandlers, PaidEvent } from './outbox/handlers.ts';
export { toDedicatedAccountView } from './payments/dedicated-account-view.ts';
export type { OrderInput } from './payments/order.ts';
export {
  defaultLimits,
  type Limit,
  type LimitName,
  type LimitsOptions,
} from './routes/access/request-limits.ts';
export type { CreatePaymentRequest } from './routes/session-request.ts';
export type { PaymentLink } from './sessions/session.ts';
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
export { createMemoryStore } from './stores/memory.ts';
export type {
  OutboxEvent,
  OutboxEventRun,
  OutboxEventState,
  OutboxOutcome,
} from './stores/outbox-event.ts';
export type { PaymentRecord } from './stores/payment-record.ts';
export type { OutcomeCounts, RecordChange, Store, StoreMeasures } from './stores/store.ts';
export type { Counters } from './telemetry/counters.ts';
export type { OnLog } from './telemetry/log.ts';
export type { CallbackEvent, LogEntry, LogEvent, LogLevel, RouteName } from './telemetry/log-event.ts';
export type { Gauges, Measures } from './telemetry/measures.ts';
export type { ReadinessReport } from './telemetry/readiness.ts';
export type { CheckoutStatus } from './telemetry/status.ts';
export type { ReconcileCounts } from './verification/reconciler.ts';
