import { remainingMs, settleWithin, type Wait } from '../../client/async/wait.ts';
import type { Bus, BusState } from '../ports/bus.ts';
import type { Store } from '../ports/store.ts';
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
  store: Store;
  bus: Bus;
  isClockKnown: () => boolean;
  now: () => number;
  wait: Wait;
  log: Log;
};

export type Readiness = {
  report: () => Promise<ReadinessReport>;
  /** Makes the instance unready for good. */
  withdraw: () => void;
};

/** Shorter than the interval of a load balancer's probes. */
const storeTimeoutMs = 2000;

/** Caches the result, so that a burst of probes does not reach the store. */
const rememberMs = 1000;

export function createReadiness(options: ReadinessOptions): Readiness {
  const { store, bus, isClockKnown, now, wait, log } = options;
  let stopping = false;
  let probe: { at: number; isStoreUp: Promise<boolean> } | undefined;

  const askStore = async (): Promise<boolean> => {
    try {
      await settleWithin(wait, storeTimeoutMs, store.find(''));
      return true;
    } catch (error) {
      log({ type: 'storeFailed', error });
      return false;
    }
  };
  return {
    withdraw() {
      stopping = true;
    },
    async report() {
      if (probe === undefined || remainingMs(probe.at, rememberMs, now()) === 0)
        probe = { at: now(), isStoreUp: askStore() };
      const isUp = await probe.isStoreUp;
      return {
        status: isUp && !stopping ? 'ready' : 'unready',
        store: isUp ? 'up' : 'down',
        bus: bus.state(),
        clock: isClockKnown() ? 'known' : 'unknown',
        stopping,
      };
    },
  };
}
