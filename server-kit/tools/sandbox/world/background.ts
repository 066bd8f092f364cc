import type { Wait } from '../../../client/async/wait.ts';
import type { SandboxClock } from '../state/clock.ts';
import type { SandboxWorld } from './world.ts';

/** The background work of a sandbox: it records changes that time makes and delivers callbacks. */
export type Background = {
  /** Starts all due work and sets the timer for the next. */
  wake: () => void;
  /**
   * Resolves when each due callback was delivered or has failed, and all changes are stored. Rejects when the storage
   * fails.
   */
  settled: () => Promise<void>;
  close: () => Promise<void>;
};

export function startBackground({ settings, clock, journal, payments, callbacks }: SandboxWorld): Background {
  let isClosed = false;
  const alarm = createAlarm(clock, settings.wait, wake);

  function wake(): void {
    if (isClosed) return;
    payments.passTime();
    callbacks.deliverDue();
    alarm.set(Math.min(payments.nextDueMs(), callbacks.nextDueMs()));
  }

  journal.onWrite(wake);
  wake();
  return {
    wake,
    async settled() {
      wake();
      for (let current = callbacks.inProgress(); current.length > 0; current = callbacks.inProgress()) {
        await Promise.all(current);
        wake();
      }
      await journal.commit();
    },
    async close() {
      isClosed = true;
      alarm.clear();
      callbacks.close();
      await Promise.allSettled(callbacks.inProgress());
      await journal.commit();
    },
  };
}

/** The longest wait of a timer. */
const maxWaitMs = 2 ** 31 - 1;

/** How many consecutive waits may end early. */
const maxEarlyWaits = 3;

/** The single timer of a sandbox. It does not keep the process alive. */
type Alarm = {
  /** Replaces the time, on the sandbox's clock, at which the alarm rings. It never rings while the clock is frozen. */
  set: (dueMs: number) => void;
  clear: () => void;
};

/**
 * @param ring sets the alarm again. It is also called early: for a time beyond a timer's longest wait, and after the
 *   machine's clock was set back
 */
function createAlarm(clock: SandboxClock, wait: Wait, ring: () => void): Alarm {
  let waiting = new AbortController();
  let earlyWaits = 0;
  const clear = (): void => waiting.abort();
  return {
    clear,
    set(dueMs) {
      clear();
      if (clock.isFrozen() || dueMs === Number.POSITIVE_INFINITY) return;
      waiting = new AbortController();
      const setMs = clock.now();
      const waitMs = Math.min(Math.max(dueMs - setMs, 1), maxWaitMs);
      const onTime = (): void => {
        earlyWaits = clock.now() - setMs < waitMs / 2 ? earlyWaits + 1 : 0;
        // A test's waits that take no time would ring without end.
        if (earlyWaits <= maxEarlyWaits) ring();
      };
      // Rejects only when the alarm is cleared.
      wait(waitMs, waiting.signal, true).then(onTime, () => {});
    },
  };
}
