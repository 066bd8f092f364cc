import type { Session } from '../../src/contract/index.ts';
import { type FetchHandler, toFetchHandler } from '../http/fetch.ts';
import type { PlainHandler } from '../http/plain-http.ts';
import { defaultMaxVerificationsPerSecond } from './budget/budget.ts';
import { checkKeys } from './checkout-keys.ts';
import { type CheckoutOptions, checkCheckoutOptions } from './checkout-options.ts';
import { createEngine, type Engine, watchTimesOf } from './engine.ts';
import { type OrderInput, type OrderRequest, parseOrder } from './order/order-request.ts';
import type { DeadLetters } from './outbox/dead-letters.ts';
import { createClientKeyCheck } from './routes/access/client-key-check.ts';
import { createOrigins } from './routes/access/cors.ts';
import { createRequestLimits } from './routes/access/request-limits.ts';
import { createSecretWatch } from './routes/access/secret-watch.ts';
import { postCallback } from './routes/callback-route.ts';
import { pollPayment } from './routes/long-poll.ts';
import { createMountCheck } from './routes/mount-path.ts';
import { createOperatorRoutes } from './routes/operator-routes.ts';
import { createRouter } from './routes/router.ts';
import { readSessionRequest } from './routes/session-request.ts';
import { createSessionRoutes, type SessionRoutesOptions } from './routes/session-routes.ts';
import type { PaymentKind } from './shell/create-payment.ts';
import { openSession } from './shell/open-session.ts';
import { receiveCallback, type SignedCallback } from './shell/receive-callback.ts';
import type { ReconcileCounts } from './shell/reconciler.ts';
import { logChangedAmount, type PaymentLink, toLink, toSession } from './shell/session.ts';
import { createForecast } from './telemetry/forecast.ts';
import { type Measures, measure } from './telemetry/measures.ts';
import { type CheckoutStatus, readStatus } from './telemetry/status.ts';

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
  const { store, runner, background, readiness, waiters, log, returnUrl } = engine;
  const forecast = createForecast({
    times: watchTimesOf(options),
    maxVerificationsPerSecond: options.maxVerificationsPerSecond ?? defaultMaxVerificationsPerSecond,
    doCallbacksArrive: engine.verifier.doCallbacksArrive,
    now: engine.now,
  });
  const open: SessionRoutesOptions['open'] = async (order, choice) => {
    const opened = await openSession(engine, order, choice);
    if (opened.created) forecast.noteOpened(opened.payment);
    const session = await toSession(engine.secrets, order, opened);
    logChangedAmount(log, order, session);
    return { ...opened, session };
  };
  /** The merchant's shopper has no browser of ours that could name a payment. */
  const openUnnamed = async (order: OrderRequest, kind: PaymentKind) =>
    (await open(order, { named: new Set(), preference: undefined, kind })).session;
  const deadLetters: DeadLetters = {
    list: store.listDeadLetters,
    async retry(key) {
      const isRetried = await store.retryDeadLetter(key);
      if (isRetried) runner.runSoon();
      return isRetried;
    },
  };
  const respond = createRoutes(options, engine, { open, deadLetters });
  return {
    createSession: async (input) =>
      openUnnamed(parseOrder(input, 'The argument of createSession'), 'account'),
    async createLink(input) {
      const order = parseOrder(input, 'The argument of createLink');
      return toLink(await openUnnamed(order, 'link'), order.returnUrl ?? returnUrl);
    },
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
      measure({
        ...{ store, bus: engine.bus, counters: engine.counters, wait: engine.wait, log },
        countWaiters: waiters.count,
        verificationLoad: engine.verifier.load,
        verificationForecast: forecast.load,
        clockOffsetMs: options.payments.clockOffsetMs,
      }),
    status: () => readStatus(store),
    deadLetters,
  };
}

type RouteParts = Pick<SessionRoutesOptions, 'open'> & { deadLetters: DeadLetters };

/** Gives each route what it uses. */
function createRoutes(
  options: CheckoutOptions,
  engine: Engine,
  { open, deadLetters }: RouteParts,
): PlainHandler {
  const { store, secrets, verifier, waiters, background, liveMode, now, random, wait, log } = engine;
  const { clientKey, allowedOrigins = [], allowCredentials = false, reconcileKey, createPayment } = options;
  const publicUrl = new URL(options.publicUrl);
  const limits = createRequestLimits({ limits: options.limits ?? {}, clientKey, now, wait, log });
  const origins = createOrigins({ publicUrl, allowedOrigins, allowCredentials, now, random, log });
  const request = { createPayment, store, secrets, limits, now, wait };
  // Without a shared bus, an instance hears nothing from the others; and a bus that is down loses messages.
  const rereadMs = () => (options.bus?.state() === 'up' ? 6000 : 3000);
  const longPoll = { store, checkOrder: liveMode.checkOrder, verifier, waiters, rereadMs, wait, log };
  const sessions = createSessionRoutes({
    ...{ origins, limits, secrets, now, random, open },
    serviceNow: options.payments.serviceNow,
    verificationIntervalMs: engine.verificationIntervalMs,
    returnUrl: engine.returnUrl,
    noteRefusedSecret: createSecretWatch({ secrets, store, now, wait, log }),
    readRequest: (received) => readSessionRequest(request, received),
    poll: (asked) => pollPayment(longPoll, asked),
  });
  const callback = {
    ...{ limits, wait, log },
    receive: (signed: SignedCallback) => receiveCallback(engine, signed),
  };
  const operator = createOperatorRoutes({
    ...{ reconcileKey, limits, wait, deadLetters },
    readiness: engine.readiness,
    reconcile: background.runRound,
    readStatus: () => readStatus(store),
  });
  return createRouter({
    routes: { ...sessions, ...operator, callbacks: (received) => postCallback(callback, received) },
    ...{ origins, log },
    noteMountPath: createMountCheck({ publicUrl, callbackUrl: engine.callbackUrl, now, random, log }),
    noteClient: createClientKeyCheck({ clientKey, publicUrl, log }),
  });
}
