import { waitWithTimer } from '../client/async/wait.ts';
import { createBudget, defaultMaxVerificationsPerSecond, slowDownWhenLimited } from './budget/budget.ts';
import { createVerifier } from './budget/verifier.ts';
import type { CheckoutOptions } from './checkout-options.ts';
import type { WatchTimes } from './order/next-due.ts';
import { defaultMaxHandlerTries } from './outbox/retry-delay.ts';
import { createOutboxRunner } from './outbox/runner.ts';
import { createMemoryBus } from './ports/memory-bus.ts';
import { createWaiters } from './routes/waiters.ts';
import { createBackground } from './shell/background.ts';
import { createClientSecrets } from './shell/client-secret.ts';
import { createLiveMode } from './shell/live-mode.ts';
import type { OpenSessionOptions } from './shell/open-session.ts';
import { createPurge } from './shell/purge.ts';
import { createReconciler } from './shell/reconciler.ts';
import { createRecords } from './shell/records.ts';
import { createReference } from './shell/reference.ts';
import {
  type Known,
  type PaymentVerifier,
  paceOf,
  type VerifyOptions,
  verifyPayment,
} from './shell/verify-payment.ts';
import { createBusWatch, logBusFailures } from './telemetry/bus-watch.ts';
import { createCounters } from './telemetry/counters.ts';
import { createLog } from './telemetry/log.ts';
import { createReadiness } from './telemetry/readiness.ts';

export type Engine = ReturnType<typeof createEngine>;

const daySeconds = 24 * 3600;
const defaultLateWatchSeconds = 7 * daySeconds;
const defaultReversalWatchSeconds = 30 * daySeconds;

export const watchTimesOf = ({
  lateWatchSeconds = defaultLateWatchSeconds,
  reversalWatchSeconds = defaultReversalWatchSeconds,
}: CheckoutOptions): WatchTimes => ({ lateWatchSeconds, reversalWatchSeconds });

/** Creates everything behind the routes, one part after the other: each needs only those before it. */
export function createEngine(options: CheckoutOptions) {
  const base = createBase(options);
  const { payments, store, bus, now, wait, log } = base;
  const stopping = new AbortController();
  const runner = createOutboxRunner({
    ...base,
    handlers: options,
    leaseMs: options.handlerLeaseMs ?? 30_000,
    maxTries: options.maxHandlerTries ?? defaultMaxHandlerTries,
  });
  const times = watchTimesOf(options);
  const records = createRecords({
    ...{ store, bus, now, times },
    serviceNow: payments.serviceNow,
    doCallbacksArrive: () => verifier.doCallbacksArrive(),
    onOutboxEvents: runner.runSoon,
  });
  const { verificationIntervalMs = 2000 } = options;
  const verifier: PaymentVerifier = createVerifier({
    ...base,
    verificationIntervalMs,
    stopping: stopping.signal,
    verifyOnce: createVerifyOnce({ payments, store, records, log, dialect: payments.dialect }),
  });
  const background = createBackground({
    ...{ wait, random: base.random, log, runner, stopping },
    reconciler: createReconciler({ store, records, verifier, log, ratePerSecond: base.budget.ratePerSecond }),
    purge: createPurge({ ...base, purgeAfterDays: options.purgeAfterDays }),
    onRound: createBusWatch(bus, log),
  });
  const sessions: OpenSessionOptions = {
    ...{ payments, store, bus, records, verifier, wait, now, log },
    liveMode: createLiveMode({ payments, store, allowVolatileStore: options.allowVolatileStore ?? false }),
    callbackUrl: callbackUrlOf(options),
    returnUrl: new URL(options.publicUrl).href,
    createReference: () => createReference(options.randomBytes),
    instanceId: createReference(options.randomBytes),
  };
  return {
    ...base,
    ...sessions,
    ...{ runner, background, verificationIntervalMs },
    secrets: createClientSecrets(options.clientSecretKeys, secretLifetimeSeconds(times)),
    waiters: createWaiters({ ...base, maxWaiters: options.maxWaiters ?? 5000 }),
    readiness: createReadiness({ ...base, isClockKnown: () => payments.clockOffsetMs() !== undefined }),
  };
}

/** Creates what every part uses: the log, the clocks, the store, the bus, and the client within the shared budget. */
function createBase(options: CheckoutOptions) {
  const { store, now = Date.now, wait = waitWithTimer, random = Math.random } = options;
  const counters = createCounters();
  const log = createLog(counters, options.onLog);
  const ownBus = options.bus ?? createMemoryBus({ onError: (error) => log({ type: 'busFailed', error }) });
  const bus = logBusFailures(ownBus, log);
  const maxPerSecond = options.maxVerificationsPerSecond ?? defaultMaxVerificationsPerSecond;
  const budget = createBudget({ store, maxPerSecond, now });
  const payments = slowDownWhenLimited(options.payments, { budget, now, log });
  return { payments, store, bus, budget, now, wait, random, log, counters };
}

const createVerifyOnce = (options: VerifyOptions) => async (reference: string, known?: Known) => {
  const value = await verifyPayment(options, reference, known);
  return { value, hasMoreMoney: value.hasMoreMoney, pace: paceOf(value, reference) };
};

/** After expiry, a late payment and its reversal are still worth showing. Never short, because shoppers keep receipts open. */
const secretLifetimeSeconds = ({ lateWatchSeconds, reversalWatchSeconds }: WatchTimes): number =>
  Math.max(lateWatchSeconds + reversalWatchSeconds, defaultLateWatchSeconds + defaultReversalWatchSeconds);

/** Uses the options alone: with a forged `Host` header, the service would send its callbacks elsewhere. */
function callbackUrlOf({ publicUrl, basePath = '/checkout' }: CheckoutOptions): string {
  const { origin, pathname } = new URL(publicUrl);
  const [prefix, base] = [pathname, basePath].map((path) => path.replace(/\/+$/, ''));
  return `${origin}${prefix}${base}/callbacks`;
}
