/**
 * The server side of the checkout: a client of the payments service, and the routes that the widget calls.
 * Runs on every platform with fetch and WebCrypto; `transfer-checkout/server-kit/node` serves it with node:http.
 */
export type {
  Account,
  DedicatedAccountView,
  Outcome,
  PaymentView,
  Session,
} from '../src/contract/index.ts';
export {
  type Checkout,
  createCheckout,
} from './checkout/create-checkout.ts';
export type { CheckoutOptions } from './checkout/options.ts';
export type { NewEvent, OrderOutcome, UnexpectedReason } from './checkout/order/event.ts';
export type { Order } from './checkout/order/record.ts';
export type { GetOrderRequest, OrderInput } from './checkout/order/request.ts';
export type {
  AttentionEvent,
  AttentionOutcome,
  OutcomeEvent,
  OutcomeHandlers,
  PaidEvent,
} from './checkout/outbox/handlers.ts';
export type {
  OutboxEvent,
  OutboxEventRun,
  OutcomeCounts,
  RecordWrite,
  Store,
  Stored,
  StoreMeasures,
  WaitingOutboxEvent,
} from './checkout/ports/store.ts';
export type { ClientKey, ClientRequest } from './checkout/routes/access/client-key.ts';
export type { LimitsOptions } from './checkout/routes/access/request-limits.ts';
export type { ReconcileCounts } from './checkout/shell/reconciler.ts';
export type { PaymentLink } from './checkout/shell/session.ts';
export type { OnLog } from './checkout/telemetry/log.ts';
export type {
  CallbackEvent,
  LogEntry,
  LogEvent,
  LogLevel,
  RouteName,
} from './checkout/telemetry/log-event.ts';
export type { CheckoutStatus, Measures, ReadinessReport, WaitingEvent } from './checkout/telemetry/status.ts';
export { toDedicatedAccountView } from './client/dedicated-account-view.ts';
export type { FetchHandler } from './client/http/fetch.ts';
export type { PlainHandler, PlainRequest, PlainResponse } from './client/http/plain-http.ts';
export * from './client/index.ts';
export { createMemoryStore } from './drivers/memory/store.ts';
