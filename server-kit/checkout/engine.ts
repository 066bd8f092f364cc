import { createClientSecrets } from '../core/secrets.ts';
import type { CheckoutSettings } from './checkout-options.ts';
import { createOutboxRunner } from './outbox/runner.ts';
import { createClientKeyCheck } from './routes/access/client-key.ts';
import { createOrigins } from './routes/access/cors.ts';
import { createRequestLimits } from './routes/access/request-limits.ts';
import { createMountCheck } from './routes/mount-path.ts';
import { createPlaces } from './routes/places.ts';
import { createWaiters } from './routes/waiters.ts';
import { createBackground } from './shell/background.ts';
import { createChanges } from './shell/changes.ts';
import { createHousekeeping } from './shell/housekeeping.ts';
import { createLiveMode } from './shell/live-mode.ts';
import { createReconciler } from './shell/reconciler.ts';
import { createRecords } from './shell/records.ts';
import { createReference } from './shell/reference.ts';
import { createUnknownPayments } from './shell/unknown-payments.ts';
import { verifyPayment } from './shell/verify-payment.ts';
import { createLog } from './telemetry/log.ts';
import { createReadiness } from './telemetry/status.ts';
import { createPermits } from './verification/bucket.ts';
import { createVerifier, type Verifier } from './verification/verifier.ts';

/** Sessions that are being opened. Each is a request to the service, and ends within fifteen seconds. */
const sessionsAtOnce = { inAll: 256, perClient: 64 };

/** Creates the parts of a checkout, one after the other. */
export function createEngine(settings: CheckoutSettings) {
  const parts = createBackgroundParts(settings);
  const { store, payments, stopping, now, wait, log } = parts;
  const { clientKey, allowedOrigins, allowCredentials, allowVolatileStore } = settings;
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
    readiness: createReadiness({ store, isClockKnown, now, wait, log, stopping: stopping.signal }),
    opening: createPlaces(sessionsAtOnce),
    limits: createRequestLimits({ limits: settings.limits, clientKey, now, log }),
    origins: createOrigins({ publicUrl, allowedOrigins, allowCredentials, log }),
    noteMountPath: createMountCheck({ publicUrl, callbackUrl, log }),
    noteClient: createClientKeyCheck({ clientKey, publicUrl, log }),
  };
}

/** Creates what works without a request: records, verifications and handlers. */
function createBackgroundParts(settings: CheckoutSettings) {
  const { store, now, wait, random, verificationIntervalMs, maxVerificationsPerSecond } = settings;
  const clock = { now, wait, random };
  const log = createLog(settings.onLog, settings.now);
  const changes = createChanges(store, log);
  const waiters = createWaiters({ changes, maxWaiters: settings.maxWaiters, wait });
  const permits = createPermits({ maxPerSecond: maxVerificationsPerSecond, now, log });
  const payments = permits.watch(settings.payments);
  const { serviceNow, dialect } = payments;

  const stopping = new AbortController();
  const leaseMs = settings.handlerLeaseMs;
  const runner = createOutboxRunner({ store, handlers: settings, leaseMs, wait, random, log });
  const { lateWatchSeconds, reversalWatchSeconds } = settings;
  const times = { lateWatchSeconds, reversalWatchSeconds };
  const onOutboxEvents = runner.runSoon;
  const records = createRecords({ store, onChange: changes.emit, serviceNow, now, times, onOutboxEvents });
  const verifyOptions = { payments, store, records, log, dialect };
  const verifier: Verifier = createVerifier({
    verifyOnce: (reference, known) => verifyPayment(verifyOptions, reference, known),
    permits,
    verificationIntervalMs,
    stopping: stopping.signal,
    now,
    wait,
  });
  const background = createBackground({
    store,
    reconciler: createReconciler({ store, records, verifier, log }),
    housekeeping: createHousekeeping({ ...settings, handlers: settings, log }),
    runner,
    stopping,
    log,
    ...clock,
  });
  return {
    store,
    waiters,
    changes,
    payments,
    now,
    wait,
    random,
    log,
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
