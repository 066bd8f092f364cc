import type { Wait } from '../../../client/async/wait.ts';
import type { SandboxClock } from './clock.ts';

/** The longest wait of a timer. */
const maxWaitMs = 2 ** 31 - 1;

/** How many consecutive waits may end early. */
const maxEarlyWaits = 3;

/** The single timer of a sandbox. It does not keep the process alive. */
export type Alarm = {
  /** Replaces the time, on the sandbox's clock, at which the alarm rings. It never rings while the clock is frozen. */
  set: (dueMs: number) => void;
  clear: () => void;
};

/**
 * @param ring sets the alarm again. It is also called early: for a time beyond a timer's longest wait, and after the
 *   machine's clock was set back
 */
export function createAlarm(clock: SandboxClock, wait: Wait, ring: () => void): Alarm {
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
