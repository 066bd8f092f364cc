import { remainingMs, settleWithin, type Wait } from '../../client/async/wait.ts';
import type { Bus, BusState } from '../ports/bus.ts';
import type { Log } from './log.ts';

/** The body of `GET {base}/ready`. Only the store and a stop decide the status. */
export type ReadinessReport = {
  status: 'ready' | 'unready';
  store: 'up' | 'down';
  /** While the bus is down, held requests get their responses seconds later. */
  bus: BusState;
  /** `unknown` until the first response of the service; a new instance needs requests to get one. */
  clock: 'known' | 'unknown';
  stopping: boolean;
};

export type ReadinessOptions = {
  /**
   * Writes to the store, which has to take it within two seconds: one that is read-only or whose disk is full can open no payment, and
   * record none that is paid.
   */
  probeStore: () => Promise<unknown>;
  bus: Bus;
  isClockKnown: () => boolean;
  now: () => number;
  wait: Wait;
  log: Log;
  /** Makes the instance unready for good. */
  stopping: AbortSignal;
};

/** Shorter than the interval of a load balancer's probes. */
const storeTimeoutMs = 2000;

/** Caches the result, so that a burst of probes does not reach the store. */
const rememberMs = 1000;

/** Creates a function that reports whether this instance can serve requests. */
export function createReadiness(options: ReadinessOptions): () => Promise<ReadinessReport> {
  const { probeStore, bus, isClockKnown, now, wait, log, stopping } = options;
  let probe: { at: number; isStoreUp: Promise<boolean> } | undefined;
  const askStore = async (): Promise<boolean> => {
    try {
      await settleWithin(wait, storeTimeoutMs, probeStore());
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
      bus: bus.state(),
      clock: isClockKnown() ? 'known' : 'unknown',
      stopping: stopping.aborted,
    };
  };
}
