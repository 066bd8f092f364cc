import { combineDialects } from './api/dialect.ts';
import { type Wait, waitWithTimer } from './async/wait.ts';
import type { Bus } from './buses/bus.ts';
import { createMemoryBus } from './buses/memory.ts';
import type { CheckoutOptions } from './checkout-options.ts';
import type { PaymentsClient } from './client/client.ts';
import { defaultMaxHandlerTries } from './outbox/retry-delay.ts';
import { createOutboxRunner, type OutboxRunner } from './outbox/runner.ts';
import { createLiveMode, type LiveMode } from './payments/live-mode.ts';
import type { Order } from './payments/order.ts';
import { createRecorder, type Recorder } from './payments/recorder.ts';
import { createReference } from './payments/reference.ts';
import { createWaiters, type Waiters } from './routes/waiters.ts';
import { type Attempt, getOrCreatePayment, settleInTime } from './sessions/get-or-create.ts';
import { createOncePerOrder } from './sessions/once-per-order.ts';
import type { Way } from './sessions/open-payment.ts';
import type { Store } from './stores/store.ts';
import { createBusWatch } from './telemetry/bus-watch.ts';
import { type Counters, createCounters } from './telemetry/counters.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { createReadiness, type Readiness } from './telemetry/readiness.ts';
import { type Background, createBackground } from './verification/background.ts';
import { createBudget, defaultMaxVerificationsPerSecond } from './verification/budget/budget.ts';
import { purgeBesides } from './verification/purge.ts';
import { createReconciler, type Reconciler } from './verification/reconciler.ts';
import { slowDownWhenLimited } from './verification/slow-down.ts';
import { createVerifier, type Verifier } from './verification/verifier.ts';

const daySeconds = 24 * 3600;

/** The parts that do the work. */
export type Engine = {
  payments: PaymentsClient;
  store: Store;
  bus: Bus;
  now: () => number;
  wait: Wait;
  random: () => number;
  log: Log;
  counters: Counters;
  runner: OutboxRunner;
  recorder: Recorder;
  verifier: Verifier;
  reconciler: Reconciler;
  background: Background;
  /** The order's payment, made once for all who ask at the same time. */
  attemptOnce: (order: Order, way: Way) => Promise<Attempt>;
  liveMode: LiveMode;
  waiters: Waiters;
  rereadMs: () => number;
  readiness: Readiness;
  verificationIntervalMs: number;
  /** Where the service sends callbacks. */
  callbackUrl: string;
};

/** Puts them together, with the defaults of the options. */
export function createEngine(options: CheckoutOptions): Engine {
  const { store, now = Date.now, wait = waitWithTimer, random = Math.random } = options;
  const {
    verificationIntervalMs = 2000,
    maxVerificationsPerSecond = defaultMaxVerificationsPerSecond,
    handlerLeaseMs = 30_000,
    maxHandlerTries = defaultMaxHandlerTries,
    maxWaiters = 5000,
  } = options;
  const { lateWatchSeconds = 7 * daySeconds, reversalWatchSeconds = 30 * daySeconds } = options;
  const counters = createCounters();
  const log = createLog(counters, options.onLog);
  const { bus = createMemoryBus({ onError: (error) => log({ type: 'busFailed', error }) }) } = options;
  const budget = createBudget({ store, maxPerSecond: maxVerificationsPerSecond, now });
  const payments = slowDownWhenLimited(options.payments, { budget, now, log });
  const dialect = combineDialects(payments.dialect, options.dialect);
  const stopping = new AbortController();
  const common = { payments, store, bus, now, wait, random, log, counters };

  const runner = createOutboxRunner({
    ...common,
    handlers: options,
    leaseMs: handlerLeaseMs,
    maxTries: maxHandlerTries,
  });
  const recorder = createRecorder({
    ...common,
    serviceNow: payments.serviceNow,
    onOutboxEvents: runner.runSoon,
    times: { lateWatchSeconds, reversalWatchSeconds },
  });
  const watching = { verificationIntervalMs, budget, stopping: stopping.signal };
  const verifier = createVerifier({ ...common, ...watching, recorder, dialect });
  const looking = createReconciler({ ...common, recorder, verifier, budget });
  const reconciler = purgeBesides(looking, { ...common, purgeAfterDays: options.purgeAfterDays });
  const onRound = createBusWatch(bus, log);
  const background = createBackground({ ...common, runner, reconciler, onRound, stopping });
  const callbackUrl = callbackUrlOf(options);
  const liveMode = createLiveMode({ ...common, allowVolatileStore: options.allowVolatileStore ?? false });
  const attempts = {
    ...common,
    recorder,
    verifier,
    callbackUrl,
    returnUrl: new URL(options.publicUrl).href,
    liveMode,
    createReference: () => createReference(options.randomBytes),
    instanceId: createReference(options.randomBytes),
  };
  const once = createOncePerOrder((order, way: Way) => getOrCreatePayment(attempts, order, way));
  const attemptOnce: Engine['attemptOnce'] = (order, way) => settleInTime(wait, once(order, way));
  const waiters = createWaiters({ ...common, maxWaiters });
  // A bus drops what is published while a connection is broken; without one nothing is heard of other instances.
  const rereadMs = (): number => (options.bus !== undefined && bus.state() === 'up' ? 6000 : 3000);
  const isClockKnown = (): boolean => payments.clockOffsetMs() !== undefined;
  const readiness = createReadiness({ ...common, isClockKnown });
  const parts = {
    ...{ runner, recorder, verifier, reconciler, background },
    ...{ attemptOnce, liveMode, waiters, rereadMs, readiness },
  };
  return { ...common, ...parts, verificationIntervalMs, callbackUrl };
}

/** Made of options alone: a `Host` can be made up, and the service would send payments' callbacks there. */
function callbackUrlOf({ publicUrl, basePath = '/checkout' }: CheckoutOptions): string {
  const { origin, pathname } = new URL(publicUrl);
  const [prefix, base] = [pathname, basePath].map((path) => path.replace(/\/+$/, ''));
  return `${origin}${prefix}${base}/callbacks`;
}
