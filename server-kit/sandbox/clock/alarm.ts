import type { Wait } from '../../async/wait.ts';
import type { SandboxClock } from './clock.ts';

/** The longest wait that timers know. */
const maxWaitMs = 2 ** 31 - 1;

/** How many waits in a row may end before their time. */
const maxEarlyWaits = 3;

/** The one timer of a sandbox, for the next thing that time brings. It does not keep the process alive. */
export type Alarm = {
  /** Rings at that moment of the sandbox's clock instead of any other; never while the clock is frozen. */
  set: (dueMs: number) => void;
  clear: () => void;
};

/**
 * @param ring is also called early, for what is further away than a timer can wait, and where the machine's clock has
 *   stepped back meanwhile; it then sets the alarm again
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
        // Waits that take no time, as tests have them, would ring for ever.
        if (earlyWaits <= maxEarlyWaits) ring();
      };
      // It rejects only when it is cleared.
      wait(waitMs, waiting.signal, true).then(onTime, () => {});
    },
  };
}
