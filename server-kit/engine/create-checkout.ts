import type { PaymentView, Session } from '../../src/contract/index.ts';
import type { FetchHandler, PlainHandler } from '../core/http.ts';
import { createClientSecrets } from '../core/secrets.ts';
import { type CheckoutOptions, type CheckoutSettings, readCheckoutOptions } from './options.ts';
import type { WatchTimes } from './order/next-due.ts';
import { type OrderInput, type OrderRequest, parseOrder } from './order/request.ts';
import { viewOrder } from './order/view.ts';
import { createOutboxRunner } from './outbox/runner.ts';
import { createOrigins } from './routes/access/cors.ts';
import { createRequestLimits } from './routes/access/request-limits.ts';
import { createClientKeyCheck, createMountCheck } from './routes/access/set-up-warnings.ts';
import { createCheckoutRouter } from './routes/router.ts';
import { createPlaces, createWaiters } from './routes/waiters.ts';
import { createBackground } from './shell/background.ts';
import type { Engine } from './shell/engine.ts';
import { createLiveMode } from './shell/live-mode.ts';
import { createReference, type PaymentKind } from './shell/open-payment.ts';
import { createReconciler, type ReconcileCounts } from './shell/reconciler.ts';
import { createChanges, createRecords } from './shell/records.ts';
import { getOrCreateSession, type PaymentLink, toLink } from './shell/session.ts';
import { verifyPaymentWith } from './shell/verify-payment.ts';
import { createLog, noteIgnored } from './telemetry/log.ts';
import { createReadiness, type Measures, measure } from './telemetry/readiness.ts';
import type { CheckoutStatus } from './telemetry/status.ts';
import { createPermits } from './verification/bucket.ts';
import { createVerifier } from './verification/verifier.ts';

/** The routes, and what the merchant's own server code calls. */
export type Checkout = {
  /**
   * Returns the order's session, for the merchant's own server code, which has already authorised the shopper: that of the
   * open or paid payment of the order, or of a new one.
   *
   * @throws {CheckoutError} `invalid_options` for an order without a valid id or amount, and for a live payment in a volatile store
   *   or on an http `publicUrl`;
   *   `service_unavailable`, `service_rejected`, `internal_error`
   */
  createSession: (order: OrderInput) => Promise<Session>;
  /**
   * Returns the payment that decides about an order, or its last one, as a page sees it, for the merchant's own server code: the order is
   * paid if `outcome` is `paid`; money may be on the payment if `holdsMoney(payment)` of `transfer-checkout/server-kit/core`, and
   * `orderChargedAmount` counts all payments of the order. `undefined` while the order has no account. Only reads the store: neither opens
   * a payment nor asks the service.
   */
  retrievePayment: (orderId: string) => Promise<PaymentView | undefined>;
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
   * have ended, or 20 seconds after the verifications.
   */
  reconcile: () => Promise<ReconcileCounts>;
  /**
   * Shuts down in this order: `GET {base}/ready` returns 503, held requests get their responses, the background work ends,
   * and no new handler starts; other instances, or the next start of the process, do what is left. Running handlers may
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
  /** Returns five gauges for a monitor. Never rejects: what cannot be measured is `null`. Count failures by the types in `onLog`. */
  measure: () => Promise<Measures>;
  /**
   * Returns the counts of outcomes, how long the oldest payments have waited, and the events that wait for a handler, for people.
   * For a monitor use `measure`. Rejects if the store cannot be read.
   */
  status: () => Promise<CheckoutStatus>;
};

/**
 * Creates the merchant's side of the checkout: one open payment per order, the routes that the widget and the service call,
 * and the events for the merchant's handlers.
 *
 * @throws {CheckoutError} `invalid_options`, naming the option and what to pass instead
 */
export function createCheckout(options: CheckoutOptions): Checkout {
  const settings = readCheckoutOptions(options);
  const engine = createEngine(settings);
  const { store, background } = engine;
  const { respond, handler } = createCheckoutRouter(engine);
  const noteField = noteIgnored(engine.log);
  // The merchant's shopper has no browser of ours that could name a payment.
  const unnamed = { named: new Set<string>(), preference: undefined };
  const getSession = async (order: OrderRequest, kind: PaymentKind): Promise<Session> => {
    const { view, more } = await getOrCreateSession(engine, order, { ...unnamed, kind });
    const clientSecret = await engine.secrets.issue(view);
    return { ...view, clientSecret, ...more };
  };
  return {
    async createSession(input) {
      const order = parseOrder(input, 'The argument of createSession', noteField);
      return getSession(order, 'account');
    },
    async retrievePayment(orderId) {
      const { record } = await store.find({ orderId });
      return record === null ? undefined : viewOrder(record);
    },
    async createLink(input) {
      const order = parseOrder(input, 'The argument of createLink', noteField);
      return toLink(await getSession(order, 'link'), order.returnUrl ?? engine.returnUrl);
    },
    handler,
    respond,
    start: background.start,
    reconcile: background.runRound,
    async stop({ patienceMs = 10_000 } = {}) {
      engine.waiters.end();
      engine.log({ type: 'stopped' });
      await background.stop(patienceMs);
    },
    settled: background.settled,
    measure: () => measure(engine, engine.waiters.count()),
    status: async () => (await import('./telemetry/status.ts')).readStatus(engine),
  };
}

/** Sessions that are being opened. Each is a request to the service, and ends within fifteen seconds. */
const sessionsAtOnce = { inAll: 256, perClient: 64 };

/** Creates the parts of a checkout, one after the other. */
function createEngine(settings: CheckoutSettings): Engine {
  const { store, maxVerificationsPerSecond, testing, onUnknownPayment } = settings;
  const { now, wait, random, verificationIntervalMs, handlerLeaseMs: leaseMs } = testing;
  const publicUrl = new URL(settings.publicUrl);
  const log = createLog(settings.onLog, now);
  const changes = createChanges(store, log);
  const permits = createPermits(maxVerificationsPerSecond, { now, log });
  const client = permits.watch(settings.client);
  const stopping = new AbortController();
  const runner = createOutboxRunner({ store, handlers: settings, leaseMs, wait, random, log });
  const records = createRecords({
    store,
    onChange: changes.emit,
    serviceNow: client.serviceNow,
    now,
    times: testing,
    onOutboxEvents: runner.runSoon,
  });
  const verifier = createVerifier({
    verifyOnce: verifyPaymentWith({ client, store, records, log }),
    permits,
    verificationIntervalMs,
    stopping: stopping.signal,
    now,
    wait,
  });
  const common = { store, now, wait, random, log, stopping };
  const reconciler = createReconciler({ ...common, records, verifier });
  const callbackUrl = callbackUrlOf(publicUrl, settings.basePath);
  const { clientKey } = settings;
  return {
    ...common,
    client,
    records,
    changes,
    verifier,
    reconciler,
    background: createBackground({ ...common, handlers: settings, runner, reconciler }),
    liveMode: createLiveMode({ client, store, publicUrl }),
    secrets: createClientSecrets(settings.clientSecretKeys, secretLifetimeSeconds(testing)),
    verificationIntervalMs,
    createReference: () => createReference(testing.randomBytes),
    callbackUrl,
    returnUrl: publicUrl.href,
    getOrder: settings.getOrder,
    onUnknownPayment,
    unknownPayments: new Set(),
    waiters: createWaiters({ changes, maxHeld: testing.maxHeld, wait }),
    opening: createPlaces(sessionsAtOnce),
    limits: createRequestLimits(settings.limits, clientKey, now, log),
    origins: createOrigins(publicUrl, settings.allowedOrigins, log),
    operatorKey: settings.operatorKey,
    readiness: createReadiness({ ...common, client }),
    noteMountPath: createMountCheck(publicUrl, callbackUrl, log),
    noteClient: createClientKeyCheck(clientKey, publicUrl, log),
  };
}

const shortestSecretSeconds = 37 * 24 * 3600;

/** After expiry, a late payment and its reversal are still worth showing. Never short, because shoppers keep receipts open. */
const secretLifetimeSeconds = ({ lateWatchSeconds, reversalWatchSeconds }: WatchTimes): number =>
  Math.max(lateWatchSeconds + reversalWatchSeconds, shortestSecretSeconds);

/** Uses the options alone: with a forged `Host` header, the service would send its callbacks elsewhere. */
function callbackUrlOf({ origin, pathname }: URL, basePath: string): string {
  const [prefix, base] = [pathname, basePath].map((path) => path.replace(/\/+$/, ''));
  return `${origin}${prefix}${base}/callbacks`;
}
