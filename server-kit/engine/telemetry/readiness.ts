import type { PaymentsClient } from '../../core/client.ts';
import { type Wait, within } from '../../core/time.ts';
import type { Store } from '../store.ts';
import { remainingMs } from '../wait.ts';
import type { Log } from './log.ts';

type Measured = { store: Store; now: () => number; wait: Wait; log: Log };

/** Gauges for a monitor. Those of the store are the same on all instances, and `null` while it does not respond. */
export type Measures = {
  /** Orders that wait for their money; at most 1,000 are counted. */
  openOrders: number | null;
  /** How long the most overdue verification has been due, in milliseconds. If it grows, the rounds are missing, or too slow. */
  oldestDueMs: number | null;
  /** Outbox events whose handlers have not succeeded yet; at most 1,000 are counted. */
  eventsWaiting: number | null;
  /** How many requests this instance holds. */
  heldRequests: number;
  /** How long the store took to respond, in milliseconds; `null` if it did not. */
  storeLatencyMs: number | null;
};

const storeTimeoutMs = 5000;

/** Returns the gauges. Never rejects. */
export async function measure({ store, now, wait, log }: Measured, heldRequests: number): Promise<Measures> {
  const askedAtMs = now();
  try {
    // Async, because a custom store may throw synchronously.
    const read = async () => store.readStatus({ mostWaiting: 0 });
    const { openOrders, checkLagMs, pendingOutboxEvents } = await within(wait, storeTimeoutMs, read);
    const storeLatencyMs = Math.max(0, now() - askedAtMs);
    return {
      openOrders,
      oldestDueMs: checkLagMs,
      eventsWaiting: pendingOutboxEvents,
      heldRequests,
      storeLatencyMs,
    };
  } catch (error) {
    log({ type: 'storeFailed', error });
    return { openOrders: null, oldestDueMs: null, eventsWaiting: null, heldRequests, storeLatencyMs: null };
  }
}

/** The body of `GET {base}/ready`. Only the store and a stop decide the status. */
export type ReadinessReport = {
  status: 'ready' | 'unready';
  store: 'up' | 'down';
  /** `unknown` until the first response of the service; a new instance needs requests to get one. */
  clock: 'known' | 'unknown';
  stopping: boolean;
};

/** Shorter than the interval of a load balancer's probes. */
const probeTimeoutMs = 2000;

/** Caches the result, so that a burst of probes does not reach the store. */
const rememberMs = 1000;

export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Creates a function that reports whether this instance can serve requests. The store has to take a write: one that is read-only or whose
 * disk is full can open no payment, and record none that is paid.
 */
export function createReadiness({
  client,
  store,
  now,
  wait,
  log,
  stopping: { signal: stopping },
}: Measured & { client: PaymentsClient; stopping: AbortController }): () => Promise<ReadinessReport> {
  let probe: { at: number; isStoreUp: Promise<boolean> } | undefined;
  const askStore = async (): Promise<boolean> => {
    try {
      await within(wait, probeTimeoutMs, async () => store.prepare());
      return true;
    } catch (error) {
      log({ type: 'storeFailed', error });
      return false;
    }
  };
  return async () => {
    if (probe === undefined || remainingMs(probe.at, rememberMs, now()) === 0)
      probe = { at: now(), isStoreUp: askStore() };
    const isStoreUp = await probe.isStoreUp;
    return {
      status: isStoreUp && !stopping.aborted ? 'ready' : 'unready',
      store: isStoreUp ? 'up' : 'down',
      clock: client.clockOffsetMs() === undefined ? 'unknown' : 'known',
      stopping: stopping.aborted,
    };
  };
}
