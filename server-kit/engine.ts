import { waitWithTimer } from './async/wait.ts';
import { createMemoryBus } from './buses/memory.ts';
import type { CheckoutOptions } from './checkout-options.ts';
import { defaultMaxHandlerTries } from './outbox/retry-delay.ts';
import { createOutboxRunner } from './outbox/runner.ts';
import type { WatchTimes } from './payments/follow-up.ts';
import { createLiveMode } from './payments/live-mode.ts';
import { createRecorder } from './payments/recorder.ts';
import { createReference } from './payments/reference.ts';
import { createWaiters } from './routes/waiters.ts';
import { createClientSecrets } from './sessions/client-secret.ts';
import { createSessions } from './sessions/sessions.ts';
import { createBusWatch, logBusFailures } from './telemetry/bus-watch.ts';
import { createCounters } from './telemetry/counters.ts';
import { createLog } from './telemetry/log.ts';
import { createReadiness } from './telemetry/readiness.ts';
import { createBackground } from './verification/background.ts';
import { createBudget, defaultMaxVerificationsPerSecond } from './verification/budget/budget.ts';
import { createPurge } from './verification/purge.ts';
import { createReconciler } from './verification/reconciler.ts';
import { slowDownWhenLimited } from './verification/slow-down.ts';
import { createVerifier } from './verification/verifier.ts';

export type Engine = ReturnType<typeof createEngine>;

const daySeconds = 24 * 3600;
const defaultLateWatchSeconds = 7 * daySeconds;
const defaultReversalWatchSeconds = 30 * daySeconds;

/** Creates everything behind the routes, one room after the other: each needs only those before it. */
export function createEngine(options: CheckoutOptions) {
  const base = createBase(options);
  const { verificationIntervalMs = 2000, maxWaiters = 5000, randomBytes } = options;
  const { payments, bus, log } = base;
  const stopping = new AbortController();

  const runner = createOutboxRunner({
    ...base,
    handlers: options,
    leaseMs: options.handlerLeaseMs ?? 30_000,
    maxTries: options.maxHandlerTries ?? defaultMaxHandlerTries,
  });
  const times = {
    lateWatchSeconds: options.lateWatchSeconds ?? defaultLateWatchSeconds,
    reversalWatchSeconds: options.reversalWatchSeconds ?? defaultReversalWatchSeconds,
  };
  const recorder = createRecorder({
    ...base,
    serviceNow: payments.serviceNow,
    onOutboxEvents: runner.runSoon,
    times,
  });
  const liveMode = createLiveMode({ ...base, allowVolatileStore: options.allowVolatileStore ?? false });

  const verifying = {
    ...base,
    recorder,
    dialect: payments.dialect,
    verificationIntervalMs,
    stopping: stopping.signal,
  };
  const verifier = createVerifier(verifying);
  const reconciler = createReconciler({ ...base, recorder, verifier });
  const purge = createPurge({ ...base, purgeAfterDays: options.purgeAfterDays });
  const background = createBackground({
    ...base,
    runner,
    reconciler,
    purge,
    stopping,
    onRound: createBusWatch(bus, log),
  });

  const secrets = createClientSecrets(options.clientSecretKeys, secretLifetimeSeconds(times));
  const callbackUrl = callbackUrlOf(options);
  const sessions = createSessions({
    ...base,
    ...{ recorder, verifier, liveMode, secrets, callbackUrl },
    returnUrl: new URL(options.publicUrl).href,
    createReference: () => createReference(randomBytes),
    instanceId: createReference(randomBytes),
  });

  const waiters = createWaiters({ ...base, maxWaiters });
  const readiness = createReadiness({ ...base, isClockKnown: () => payments.clockOffsetMs() !== undefined });
  return {
    ...base,
    ...{ runner, recorder, liveMode, verifier, background, secrets, sessions, waiters, readiness },
    ...{ verificationIntervalMs, callbackUrl },
  };
}

/** Creates what every room uses: the log, the clocks, the store, the bus, and the client within the shared budget. */
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

/** After expiry, a late payment and its reversal are still worth showing. Never short, because shoppers keep receipts open. */
const secretLifetimeSeconds = ({ lateWatchSeconds, reversalWatchSeconds }: WatchTimes): number =>
  Math.max(lateWatchSeconds + reversalWatchSeconds, defaultLateWatchSeconds + defaultReversalWatchSeconds);

/** Uses the options alone: with a forged `Host` header, the service would send its callbacks elsewhere. */
function callbackUrlOf({ publicUrl, basePath = '/checkout' }: CheckoutOptions): string {
  const { origin, pathname } = new URL(publicUrl);
  const [prefix, base] = [pathname, basePath].map((path) => path.replace(/\/+$/, ''));
  return `${origin}${prefix}${base}/callbacks`;
}
