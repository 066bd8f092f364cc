import { remainingMs, settleWithin, type Wait } from '../async/wait.ts';
import type { Bus, BusState } from '../buses/bus.ts';
import type { Store } from '../stores/store.ts';
import type { Log } from './log.ts';

/** What `GET {base}/ready` says. Only the store and a stop decide. */
export type ReadinessReport = {
  status: 'ready' | 'unready';
  store: 'up' | 'down';
  /** `down` costs seconds: whoever waits is answered later. */
  bus: BusState;
  /** `unknown` until the service has answered for the first time; a fresh instance must get requests for that. */
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
  isStoreUp: () => Promise<boolean>;
  /** From now on the instance is not ready. */
  withdraw: () => void;
};

/** A balancer asks every few seconds. */
const answerWithinMs = 2000;

/** So that a flood of questions is none for the store. */
const rememberMs = 1000;

export function createReadiness(options: ReadinessOptions): Readiness {
  const { store, bus, isClockKnown, now, wait, log } = options;
  let stopping = false;
  let last: { at: number; isUp: Promise<boolean> } | undefined;

  const askStore = async (): Promise<boolean> => {
    try {
      await settleWithin(wait, answerWithinMs, store.findByReference(''));
      return true;
    } catch (error) {
      log({ type: 'storeFailed', error });
      return false;
    }
  };
  const isStoreUp = (): Promise<boolean> => {
    const isFresh = last !== undefined && remainingMs(last.at, rememberMs, now()) > 0;
    if (last === undefined || !isFresh) last = { at: now(), isUp: askStore() };
    return last.isUp;
  };

  return {
    isStoreUp,
    withdraw() {
      stopping = true;
    },
    async report() {
      const isUp = await isStoreUp();
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
