import type { Session } from '../src/contract/index.ts';
import { type CheckoutOptions, type CreatePaymentRequest, checkCheckoutOptions } from './checkout-options.ts';
import { createEngine } from './engine.ts';
import { type FetchHandler, toFetchHandler } from './http/fetch.ts';
import type { PlainHandler } from './http/plain-http.ts';
import { type Order, type OrderInput, parseOrder } from './payments/order.ts';
import { createOrigins } from './routes/access/cors.ts';
import { createRequestLimits } from './routes/access/request-limits.ts';
import { createRouter } from './routes/router.ts';
import { createClientSecrets } from './sessions/client-secret.ts';
import { type PaymentLink, toLink, toSession } from './sessions/session.ts';
import type { OutboxEvent } from './stores/outbox-event.ts';
import { type Measures, measure } from './telemetry/measures.ts';
import type { ReconcileCounts } from './verification/reconciler.ts';

/** What `createCheckout` gives: the routes, and what the merchant's own server code calls. */
export type Checkout = {
  /**
   * The order's session, for the merchant's own server code, which has authorised the shopper already: the open or
   * the paid payment of the order, or a new one.
   *
   * @throws {CheckoutError} `invalid_options` for an order that is none, and for a live payment in a store that forgets;
   *   `service_unavailable`, `service_rejected`, `internal_error`
   */
  createSession: (order: OrderInput) => Promise<Session>;
  /**
   * The same with a page of the service to pay on, for the merchant's own server code: send the shopper to
   * `authorizationUrl`. An order has one open payment in whichever way it was made: one that has an account keeps it.
   *
   * @throws {CheckoutError} as `createSession`
   */
  createLink: (order: OrderInput) => Promise<PaymentLink>;
  /** The routes as a fetch handler. Mount it at any path, and say which in `basePath`. */
  handler: FetchHandler;
  /** The same over plain values; `toNodeListener` serves it with node:http. */
  respond: PlainHandler;
  /**
   * From now on looks up payments for which nobody waits, and calls handlers that other instances have left, every few
   * seconds. Call it on each instance, once. Without it, handlers run for what this process has seen itself.
   */
  start: () => void;
  /**
   * One round of what `start` does every few seconds: looks up payments that are due, and calls the handlers that are.
   * For platforms on which nothing runs between requests, and for scripts; call it again at once while `hasMore`. Resolves
   * when the handlers have ended, or after 20 seconds.
   */
  reconcile: () => Promise<ReconcileCounts>;
  /**
   * Shuts down, in this order: `GET {base}/ready` says 503, requests that are held are answered, the background work ends,
   * and no handler begins any more; whatever is left is for other instances, or for the next start of the process. Handlers
   * that run may end within `patienceMs` (default: 10,000); then their signals abort, and they will be called again.
   * Requests are still answered, and none is held: close the server afterwards, once the balancer has seen the 503. There
   * is no second `start`.
   */
  stop: (options?: { patienceMs?: number }) => Promise<void>;
  /**
   * Resolves when no handler runs and no look that a callback asked for: for tests, and for `waitUntil` on platforms that
   * end the process with the answer.
   */
  settled: () => Promise<void>;
  /** For a monitor. Never rejects: what cannot be measured is `null`. */
  measure: () => Promise<Measures>;
  /** What handlers have failed to do too often. Each blocks nothing but, where it is a `paid`, what its order had later. */
  deadLetters: {
    /** The oldest first. `failure` says why. */
    list: () => Promise<OutboxEvent[]>;
    /** Has the handler called once more. Gives false for a key that is not set aside. */
    retry: (key: string) => Promise<boolean>;
  };
};

/**
 * The merchant's side of the checkout: one open payment an order, the routes that the widget and the service talk to,
 * and what the merchant is told of it all.
 *
 * @throws {CheckoutError} `invalid_options`, saying which one and what to pass instead
 */
export function createCheckout(options: CheckoutOptions): Checkout {
  checkCheckoutOptions(options);
  const secrets = createClientSecrets(options.clientSecretKeys);
  const engine = createEngine(options);
  const { store, runner, background, attemptOnce, readiness, waiters, log } = engine;
  const { clientKey, limits: limitsOptions = {}, allowedOrigins = [], allowCredentials = false } = options;
  const publicUrl = new URL(options.publicUrl);
  const limits = createRequestLimits({ ...engine, limits: limitsOptions, clientKey });

  const { href: returnUrl } = publicUrl;

  const openSession = async (order: Order) => {
    const attempt = await attemptOnce(order, 'account');
    return { ...attempt, answer: await toSession(secrets, attempt) };
  };
  const openLink = async (order: Order) => {
    const attempt = await attemptOnce(order, 'link');
    return { ...attempt, answer: await toLink(secrets, attempt, order.returnUrl ?? returnUrl) };
  };
  const askMerchant = async (request: CreatePaymentRequest): Promise<Order> => {
    const order = parseOrder(await options.createPayment(request), 'What createPayment returned');
    await limits.take('sessionsPerOrder', order.orderId);
    return order;
  };

  const respond = createRouter({
    ...engine,
    secrets,
    limits,
    origins: createOrigins({ publicUrl, allowedOrigins, allowCredentials }),
    serviceNow: options.payments.serviceNow,
    reconcileKey: options.reconcileKey,
    openSession: async (request) => openSession(await askMerchant(request)),
    openLink: async (request) => openLink(await askMerchant(request)),
  });

  return {
    createSession: async (input) =>
      (await openSession(parseOrder(input, 'The argument of createSession'))).answer,
    createLink: async (input) => (await openLink(parseOrder(input, 'The argument of createLink'))).answer,
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
