/**
 * The server side of the checkout: the core, and the engine that remembers orders and calls the merchant's handlers.
 * Runs on every platform with fetch and WebCrypto; `transfer-checkout/server-kit/node` serves it with node:http.
 */
export type {
  Account,
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
  StoreStatus,
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
export * from './core/index.ts';
export { createMemoryStore } from './stores/memory.ts';
