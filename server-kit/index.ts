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
export * from './core/index.ts';
export {
  type Checkout,
  createCheckout,
} from './engine/create-checkout.ts';
export type { CheckoutOptions } from './engine/options.ts';
export type { NewEvent, OrderOutcome, UnexpectedReason } from './engine/order/event.ts';
export type { Order } from './engine/order/record.ts';
export type { GetOrderRequest, OrderInput } from './engine/order/request.ts';
export type {
  AttentionEvent,
  AttentionOutcome,
  OutcomeEvent,
  OutcomeHandlers,
  PaidEvent,
} from './engine/outbox/handlers.ts';
export type { ClientKey, ClientRequest } from './engine/routes/access/client-key.ts';
export type { LimitsOptions } from './engine/routes/access/request-limits.ts';
export type { ReconcileCounts } from './engine/shell/reconciler.ts';
export type { PaymentLink } from './engine/shell/session.ts';
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
} from './engine/store.ts';
export type { OnLog } from './engine/telemetry/log.ts';
export type {
  CallbackEvent,
  LogEntry,
  LogEvent,
  LogLevel,
  RouteName,
} from './engine/telemetry/log-event.ts';
export type { Measures, ReadinessReport } from './engine/telemetry/readiness.ts';
export type { CheckoutStatus, WaitingEvent } from './engine/telemetry/status.ts';
export { createMemoryStore } from './stores/memory.ts';
