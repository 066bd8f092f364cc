import type { Session } from '../src/contract/index.ts';
import { checkKeys } from './checkout-keys.ts';
import { type CheckoutOptions, checkCheckoutOptions } from './checkout-options.ts';
import { createEngine, type Engine } from './engine.ts';
import { type FetchHandler, toFetchHandler } from './http/fetch.ts';
import type { PlainHandler } from './http/plain-http.ts';
import type { DeadLetters } from './outbox/dead-letters.ts';
import { type OrderInput, parseOrder } from './payments/order.ts';
import { createClientKeyCheck } from './routes/access/client-key-check.ts';
import { createOrigins } from './routes/access/cors.ts';
import { createRequestLimits } from './routes/access/request-limits.ts';
import { createSecretWatch } from './routes/access/secret-watch.ts';
import { createMountCheck } from './routes/mount-path.ts';
import { createRouter } from './routes/router.ts';
import type { PaymentLink } from './sessions/session.ts';
import { type Measures, measure } from './telemetry/measures.ts';
import { type CheckoutStatus, readStatus } from './telemetry/status.ts';
import type { ReconcileCounts } from './verification/reconciler.ts';

/** The routes, and what the merchant's own server code calls. */
export type Checkout = {
  /**
   * Returns the order's session, for the merchant's own server code, which has already authorised the shopper: that of the
   * open or paid payment of the order, or of a new one.
   *
   * @throws {CheckoutError} `invalid_options` for an invalid order, and for a live payment in a volatile store;
   *   `service_unavailable`, `service_rejected`, `internal_error`
   */
  createSession: (order: OrderInput) => Promise<Session>;
  /**
   * Returns the order's session with a page of the service to pay on, for the merchant's own server code: send the shopper
   * to `authorizationUrl`. An order has one open payment however it was created: one that has an account keeps it.
   *
   * @throws {CheckoutError} as `createSession`
   */
  createLink: (order: OrderInput) => Promise<PaymentLink>;
  /** The routes as a fetch handler. Mount it at any path, and name that path in `basePath`. */
  handler: FetchHandler;
  /** The routes over plain values; `toNodeListener` serves them with node:http. */
  respond: PlainHandler;
  /**
   * Starts the background work: every few seconds, verifies payments for which nobody waits, and calls handlers that other
   * instances have left. Call it once on each instance. Without it, handlers run only for what this process has seen.
   */
  start: () => void;
  /**
   * Runs one round of the background work: verifies the payments that are due, and calls the handlers that are. For scripts,
   * and for platforms where nothing runs between requests; call it again at once while `hasMore`. Resolves when the handlers
   * and the purge have ended, or 20 seconds after the verifications.
   */
  reconcile: () => Promise<ReconcileCounts>;
  /**
   * Shuts down in this order: `GET {base}/ready` returns 503, held requests get their responses, the background work ends,
   * and no handler starts any more; other instances, or the next start of the process, do what is left. Running handlers may
   * end within `patienceMs` (default: 10,000); then their signals abort, and they are called again later. Requests still get
   * responses, but none is held: close the server once the load balancer has seen the 503. A stopped checkout cannot be
   * started again. Rejects if a handler still runs seven seconds after its signal has aborted; a transaction is rolled back
   * after five.
   */
  stop: (options?: { patienceMs?: number }) => Promise<void>;
  /**
   * Resolves when no handler runs, and no verification that a callback requested: for tests, and for `waitUntil` on
   * platforms that end the process with the response.
   */
  settled: () => Promise<void>;
  /** Returns gauges and counters for a monitor. Never rejects: what cannot be measured is `null`. */
  measure: () => Promise<Measures>;
  /**
   * Returns the counts of outcomes, and how long the oldest payments have waited, for people. It reads every row of the
   * store: for a monitor use `measure`. Rejects if the store cannot be read.
   */
  status: () => Promise<CheckoutStatus>;
  /** Lists and retries the events whose handlers have failed too often. */
  deadLetters: DeadLetters;
};

/**
 * Creates the merchant's side of the checkout: one open payment per order, the routes that the widget and the service call,
 * and the events for the merchant's handlers.
 *
 * @throws {CheckoutError} `invalid_options`, naming the option and what to pass instead
 */
export function createCheckout(options: CheckoutOptions): Checkout {
  checkCheckoutOptions(options);
  checkKeys(options);
  const engine = createEngine(options);
  const { sessions, store, runner, background, readiness, waiters, log } = engine;
  const respond = createRoutes(options, engine);
  return {
    createSession: async (input) =>
      (await sessions.open(parseOrder(input, 'The argument of createSession'))).session,
    createLink: async (input) =>
      (await sessions.openLink(parseOrder(input, 'The argument of createLink'))).session,
    handler: toFetchHandler(respond),
    respond,
    start: background.start,
    reconcile: background.runRound,
    async stop({ patienceMs = 10_000 } = {}) {
      readiness.withdraw();
      waiters.end();
      log({ type: 'stopped' });
      await background.stop(patienceMs);
    },
    settled: background.settled,
    measure: () =>
      measure({ ...engine, countWaiters: waiters.count, clockOffsetMs: options.payments.clockOffsetMs }),
    status: () => readStatus(store),
    deadLetters: {
      list: store.listDeadLetters,
      async retry(key) {
        const isRetried = await store.retryDeadLetter(key);
        if (isRetried) runner.runSoon();
        return isRetried;
      },
    },
  };
}

function createRoutes(options: CheckoutOptions, engine: Engine): PlainHandler {
  const { clientKey, limits = {}, allowedOrigins = [], allowCredentials = false } = options;
  const publicUrl = new URL(options.publicUrl);
  return createRouter({
    ...engine,
    limits: createRequestLimits({ ...engine, limits, clientKey }),
    origins: createOrigins({ ...engine, publicUrl, allowedOrigins, allowCredentials }),
    noteRefusedSecret: createSecretWatch(engine),
    noteMountPath: createMountCheck({ ...engine, publicUrl }),
    noteClient: createClientKeyCheck({ ...engine, clientKey, publicUrl }),
    serviceNow: options.payments.serviceNow,
    createPayment: options.createPayment,
    reconcileKey: options.reconcileKey,
    // Without a shared bus, an instance hears nothing from the others; and a bus that is down loses messages.
    rereadMs: () => (options.bus?.state() === 'up' ? 6000 : 3000),
  });
}
