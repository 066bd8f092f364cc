import { createMissingSecretReport } from '../client/http/secret-header.ts';
import { createClientSecrets } from '../client/signing/client-secret.ts';
import { createMemoryBus } from '../drivers/memory/bus.ts';
import type { CheckoutSettings } from './checkout-options.ts';
import { createOutboxRunner } from './outbox/runner.ts';
import { createClientKeyCheck } from './routes/access/client-key.ts';
import { createOrigins } from './routes/access/cors.ts';
import { createRequestLimits } from './routes/access/request-limits.ts';
import { createSecretWatch } from './routes/access/secret-watch.ts';
import { createMountCheck } from './routes/mount-path.ts';
import { createTurns } from './routes/turns.ts';
import { createWaiters } from './routes/waiters.ts';
import { createBackground } from './shell/background.ts';
import { createHousekeeping } from './shell/housekeeping.ts';
import { createLiveMode } from './shell/live-mode.ts';
import { createReconciler } from './shell/reconciler.ts';
import { createRecords } from './shell/records.ts';
import { createReference } from './shell/reference.ts';
import { createUnknownPayments } from './shell/unknown-payments.ts';
import { verifyPayment } from './shell/verify-payment.ts';
import { createBusWatch, logBusFailures } from './telemetry/bus-watch.ts';
import { createCounters } from './telemetry/counters.ts';
import { createForecast } from './telemetry/forecast.ts';
import { createLog } from './telemetry/log.ts';
import { createReadiness } from './telemetry/readiness.ts';
import { createBudget } from './verification/budget.ts';
import { slowDownWhenLimited } from './verification/slow-down.ts';
import { createVerifier, type Verifier } from './verification/verifier.ts';

/** Creates the parts of a checkout, one after the other. */
export function createEngine(settings: CheckoutSettings) {
  const parts = createBackgroundParts(settings);
  const { store, bus, budget, payments, verifier, stopping, times, now, wait, random, log, counters } = parts;
  const { clientKey, allowedOrigins, allowCredentials, allowVolatileStore, maxVerificationsPerSecond } =
    settings;
  const { doCallbacksArrive } = verifier;
  const { probeStore } = budget;
  const publicUrl = new URL(settings.publicUrl);
  const callbackUrl = callbackUrlOf(publicUrl, settings.basePath);
  const secrets = createClientSecrets(settings.clientSecretKeys, secretLifetimeSeconds(settings));
  const isClockKnown = (): boolean => payments.clockOffsetMs() !== undefined;
  return {
    ...parts,
    secrets,
    callbackUrl,
    unknownPayments: createUnknownPayments(settings.onUnknownPayment, log),
    returnUrl: publicUrl.href,
    createPayment: settings.createPayment,
    reconcileKey: settings.reconcileKey,
    createReference: () => createReference(settings.randomBytes),
    instanceId: createReference(settings.randomBytes),
    liveMode: createLiveMode({ payments, store, allowVolatileStore, publicUrl }),
    forecast: createForecast({ times, maxVerificationsPerSecond, doCallbacksArrive, now }),
    waiters: createWaiters({ bus, now, wait, maxWaiters: settings.maxWaiters, counters }),
    // Without a shared bus, an instance hears nothing from the others; and a bus that is down loses messages.
    rereadMs: () => (settings.bus?.state() === 'up' ? 6000 : 3000),
    readiness: createReadiness({ probeStore, bus, isClockKnown, now, wait, log, stopping: stopping.signal }),
    turns: createTurns(wait),
    limits: createRequestLimits({ limits: settings.limits, clientKey, now, wait, log }),
    origins: createOrigins({ publicUrl, allowedOrigins, allowCredentials, now, random, log }),
    noteRefusedSecret: createSecretWatch({ secrets, store, now, wait, log }),
    reportMissingSecret: createMissingSecretReport(now, ({ message }) =>
      log({ type: 'secretMissing', message }),
    ),
    noteMountPath: createMountCheck({ publicUrl, callbackUrl, now, random, log }),
    noteClient: createClientKeyCheck({ clientKey, publicUrl, log }),
  };
}

/** Creates what works without a request: records, verifications and handlers. */
function createBackgroundParts(settings: CheckoutSettings) {
  const { store, now, wait, random, verificationIntervalMs, maxVerificationsPerSecond } = settings;
  const clock = { now, wait, random };
  const counters = createCounters();
  const log = createLog(counters, settings.onLog);
  const ownBus = settings.bus ?? createMemoryBus({ onError: (error) => log({ type: 'busFailed', error }) });
  const bus = logBusFailures(ownBus, log);
  const budget = createBudget({ store, maxPerSecond: maxVerificationsPerSecond, now });
  const payments = slowDownWhenLimited(settings.payments, { budget, now, log });
  const { serviceNow, dialect } = payments;

  const stopping = new AbortController();
  const leaseMs = settings.handlerLeaseMs;
  const runner = createOutboxRunner({ store, handlers: settings, leaseMs, wait, random, log });
  const { lateWatchSeconds, reversalWatchSeconds } = settings;
  const times = { lateWatchSeconds, reversalWatchSeconds };
  const doCallbacksArrive = (): boolean => verifier.doCallbacksArrive();
  const onOutboxEvents = runner.runSoon;
  const records = createRecords({ store, bus, serviceNow, now, times, doCallbacksArrive, onOutboxEvents });
  const verifyOptions = { payments, store, records, log, dialect };
  const verifier: Verifier = createVerifier({
    verifyOnce: (reference, known) => verifyPayment(verifyOptions, reference, known),
    budget,
    verificationIntervalMs,
    stopping: stopping.signal,
    counters,
    ...clock,
  });
  const { ratePerSecond } = budget;
  const background = createBackground({
    store,
    reconciler: createReconciler({ store, records, verifier, log, ratePerSecond }),
    housekeeping: createHousekeeping({ ...settings, handlers: settings, log }),
    onRound: createBusWatch(bus, log),
    runner,
    stopping,
    log,
    ...clock,
  });
  return {
    store,
    bus,
    budget,
    payments,
    now,
    wait,
    random,
    log,
    counters,
    times,
    stopping,
    records,
    verifier,
    verificationIntervalMs,
    background,
  };
}

const shortestSecretSeconds = 37 * 24 * 3600;

/** After expiry, a late payment and its reversal are still worth showing. Never short, because shoppers keep receipts open. */
const secretLifetimeSeconds = ({ lateWatchSeconds, reversalWatchSeconds }: CheckoutSettings): number =>
  Math.max(lateWatchSeconds + reversalWatchSeconds, shortestSecretSeconds);

/** Uses the options alone: with a forged `Host` header, the service would send its callbacks elsewhere. */
function callbackUrlOf({ origin, pathname }: URL, basePath: string): string {
  const [prefix, base] = [pathname, basePath].map((path) => path.replace(/\/+$/, ''));
  return `${origin}${prefix}${base}/callbacks`;
}
