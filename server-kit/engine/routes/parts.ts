import type { CheckoutSettings } from '../options.ts';
import type { Engine } from '../shell/engine.ts';
import { createReadiness } from '../telemetry/status.ts';
import { createClientKeyCheck } from './access/client-key.ts';
import { createOrigins } from './access/cors.ts';
import { createRequestLimits } from './access/request-limits.ts';
import { createMountCheck } from './mount-path.ts';
import { createPlaces } from './places.ts';
import { createWaiters } from './waiters.ts';

/** What the routes are made of. */
export type RouteParts = ReturnType<typeof createRouteParts>;

/** Sessions that are being opened. Each is a request to the service, and ends within fifteen seconds. */
const sessionsAtOnce = { inAll: 256, perClient: 64 };

/** Creates what the routes need besides the engine. */
export function createRouteParts(engine: Engine, settings: CheckoutSettings) {
  const { client, changes, callbackUrl, stopping, now, wait, log } = engine;
  const { clientKey, allowedOrigins, limits, getOrder, operatorKey, testing } = settings;
  const publicUrl = new URL(settings.publicUrl);
  const isClockKnown = (): boolean => client.clockOffsetMs() !== undefined;
  return {
    ...engine,
    getOrder,
    operatorKey,
    waiters: createWaiters({ changes, maxHeld: testing.maxHeld, wait }),
    opening: createPlaces(sessionsAtOnce),
    readiness: createReadiness({ ...engine, isClockKnown, stopping: stopping.signal }),
    limits: createRequestLimits({ limits, clientKey, now, log }),
    origins: createOrigins({ publicUrl, allowedOrigins, log }),
    noteMountPath: createMountCheck({ publicUrl, callbackUrl, log }),
    noteClient: createClientKeyCheck({ clientKey, publicUrl, log }),
  };
}
