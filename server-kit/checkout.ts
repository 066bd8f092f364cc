import type { Session } from '../src/contract/index.ts';
import { attemptForOrder } from './attempts.ts';
import { createBackground } from './background.ts';
import { createMemoryBus } from './buses/memory.ts';
import { type CheckoutOptions, checkCheckoutOptions, combineDialects } from './checkout-options.ts';
import { type ClientSecrets, createClientSecrets } from './client-secret.ts';
import { createEffectRunner } from './effect-runner.ts';
import { type FetchHandler, toFetchHandler } from './fetch.ts';
import { createOncePerOrder } from './once-per-order.ts';
import { type OrderInput, parseOrder } from './order.ts';
import { type OpenedRecord, toPaymentView } from './payment-view.ts';
import type { PlainHandler } from './plain-http.ts';
import { createProxy } from './proxy.ts';
import { createReconciler } from './reconciler.ts';
import { createRecorder } from './recorder.ts';
import { createReference } from './reference.ts';
import { createReport } from './report.ts';
import type { Effect } from './stores/effect.ts';
import { waitWithTimer } from './wait.ts';
import { createWatcher } from './watcher.ts';

const daySeconds = 24 * 3600;

/** The longest time after expiry in which something can still happen that a shopper wants to see. */
const secretLifetimeAfterExpirySeconds = 37 * daySeconds;

export type Checkout = {
  /**
   * The order's session, for the merchant's own server code, which has authorised the shopper already: the open or
   * the paid payment of the order, or a new one.
   *
   * @throws {CheckoutError} `invalid_options` for an order that is none, `service_unavailable`, `service_rejected`
   */
  createSession: (order: OrderInput) => Promise<Session>;
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
   * Ends the background work, and begins no handler any more; whatever is left is for other instances, or for the next
   * start of the process. Handlers that run may end within `patienceMs` (default: 10,000); then their signals abort, and
   * they will be called again. Requests are still answered: stop the server first. There is no second `start`.
   */
  stop: (options?: { patienceMs?: number }) => Promise<void>;
  /**
   * Resolves when no handler runs and no look that a callback asked for: for tests, and for `waitUntil` on platforms that
   * end the process with the answer.
   */
  settled: () => Promise<void>;
  /** What handlers have failed to do too often. Each blocks nothing but, where it is a `paid`, what its order had later. */
  effects: {
    /** The oldest first. `failure` says why. */
    listSetAside: () => Promise<Effect[]>;
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
  const { store, runner, background, attemptOnce } = engine;

  const openSession = async (input: unknown, source: string) => {
    const { record, created } = await attemptOnce(parseOrder(input, source));
    return { record, session: await toSession(secrets, record), created };
  };

  const respond = createProxy({
    ...engine,
    secrets,
    publicUrl: new URL(options.publicUrl),
    serviceNow: options.payments.serviceNow,
    reconcileKey: options.reconcileKey,
    onCallback: options.onCallback ?? (() => {}),
    openSession: async (request) =>
      openSession(await options.createPayment(request), 'What createPayment returned'),
  });

  return {
    createSession: async (order) => (await openSession(order, 'The argument of createSession')).session,
    handler: toFetchHandler(respond),
    respond,
    start: background.start,
    stop: ({ patienceMs = 10_000 } = {}) => background.stop(patienceMs),
    settled: background.settled,
    effects: {
      listSetAside: store.listSetAside,
      async retry(key) {
        const isRetried = await store.retryEffect(key);
        if (isRetried) runner.runSoon();
        return isRetried;
      },
    },
  };
}

/** The parts that do the work, put together. */
function createEngine(options: CheckoutOptions) {
  const { payments, store, now = Date.now, wait = waitWithTimer, random = Math.random } = options;
  const {
    lookIntervalMs = 2000,
    looksPerSecond = 20,
    handlerLeaseMs = 30_000,
    maxHandlerTries = 20,
  } = options;
  const { lateWatchSeconds = 7 * daySeconds, reversalWatchSeconds = 30 * daySeconds } = options;
  const report = createReport(options.onError);
  const { bus = createMemoryBus({ onError: report }) } = options;
  const dialect = combineDialects(payments.dialect, options.dialect);
  const stopping = new AbortController();

  const runner = createEffectRunner({
    ...{ store, wait, random, report, handlers: options },
    leaseMs: handlerLeaseMs,
    maxTries: maxHandlerTries,
  });
  const recorder = createRecorder({
    ...{ store, bus, serviceNow: payments.serviceNow, onEffects: runner.runSoon },
    times: { lateWatchSeconds, reversalWatchSeconds },
  });
  const watcher = createWatcher({
    ...{ payments, store, recorder, dialect, now, lookIntervalMs, looksPerSecond },
  });
  const reconciler = createReconciler({
    ...{ store, recorder, watcher, looksPerSecond, wait, report, stopping: stopping.signal },
  });
  const background = createBackground({ runner, reconciler, wait, random, report, stopping });
  const callbackUrl = callbackUrlOf(options);
  const attempts = {
    ...{ payments, store, recorder, watcher, wait, report, callbackUrl },
    allowVolatileStore: options.allowVolatileStore ?? false,
    createReference: () => createReference(options.randomBytes),
  };
  const attemptOnce = createOncePerOrder((order) => attemptForOrder(attempts, order));
  const parts = { runner, recorder, watcher, reconciler, background, attemptOnce };
  return { ...parts, payments, store, bus, now, wait, report, lookIntervalMs, callbackUrl };
}

/** Made of options alone: a `Host` can be made up, and the service would send payments' callbacks there. */
function callbackUrlOf({ publicUrl, basePath = '/checkout' }: CheckoutOptions): string {
  const { origin, pathname } = new URL(publicUrl);
  const [prefix, base] = [pathname, basePath].map((path) => path.replace(/\/+$/, ''));
  return `${origin}${prefix}${base}/callbacks`;
}

async function toSession(secrets: ClientSecrets, record: OpenedRecord): Promise<Session> {
  const view = toPaymentView(record);
  const expiresAtSeconds = Math.floor(Date.parse(view.expiresAt) / 1000) + secretLifetimeAfterExpirySeconds;
  const { reference, liveMode } = view;
  return { ...view, clientSecret: await secrets.issue({ reference, liveMode, expiresAtSeconds }) };
}
