import { settleWithin, type Wait } from '../async/wait.ts';
import type { Bus } from '../buses/bus.ts';
import type { Store, StoreMeasures } from '../stores/store.ts';
import type { Counters } from './counters.ts';
import type { Log } from './log.ts';

/** What stands now. Times in milliseconds; 1 for yes and 0 for no; `null` where it is not known. */
export type Gauges = {
  /** Whether the store has answered. The five that follow are its own, and `null` where it has not. */
  storeUp: 0 | 1;
  /** How long the oldest pending payment has waited for its money; `null` also when none waits. */
  oldestUnpaidMs: number | null;
  /**
   * How long the oldest payment whose money has come has waited for the service to confirm it; `null` also when none does.
   * It is a matter of seconds, as a rule: from minutes on, ask the service.
   */
  oldestConfirmingMs: number | null;
  /** The reconciler's lag: how long the most overdue payment has been due for a look. */
  checkLagMs: number | null;
  /** Outcomes that the merchant's handlers have yet to be told of. */
  pendingOutboxEvents: number | null;
  /** Outcomes that a person has to decide on. */
  deadLetters: number | null;
  /** How far the service's clock is ahead of this one; `null` until the service has answered. */
  clockOffsetMs: number | null;
  busUp: 0 | 1;
  /** How many requests this instance holds. */
  waiters: number;
};

/** Numbers for a monitor. The gauges of the store are the same on all instances; counters are this instance's. */
export type Measures = { gauges: Gauges; counters: Counters };

export type MeasuresOptions = {
  store: Store;
  bus: Bus;
  /** How many requests this instance holds. */
  countWaiters: () => number;
  counters: Counters;
  clockOffsetMs: () => number | undefined;
  wait: Wait;
  log: Log;
};

const answerWithinMs = 5000;

const notMeasured = {
  oldestUnpaidMs: null,
  oldestConfirmingMs: null,
  checkLagMs: null,
  pendingOutboxEvents: null,
  deadLetters: null,
} as const satisfies { [Name in keyof StoreMeasures]: null };

export async function measure(options: MeasuresOptions): Promise<Measures> {
  const { store, bus, countWaiters, counters, clockOffsetMs, wait, log } = options;
  // Async, so that a store of somebody else's may throw at once.
  const ask = async () => store.measure();
  const measured = await settleWithin(wait, answerWithinMs, ask()).catch((error: unknown) => {
    log({ type: 'storeFailed', error });
    return undefined;
  });
  return {
    gauges: {
      storeUp: measured === undefined ? 0 : 1,
      ...(measured ?? notMeasured),
      clockOffsetMs: clockOffsetMs() ?? null,
      busUp: bus.state() === 'up' ? 1 : 0,
      waiters: countWaiters(),
    },
    counters: { ...counters },
  };
}
