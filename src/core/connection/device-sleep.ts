import type { Environment } from './environment.ts';

const intervalMs = 5000;
/** A timer this late was delayed by more than a busy page. */
const sleptMs = 10_000;

/**
 * Calls `onWake` after the device has slept: many devices do not notify the page, and open requests are dead then. Compares a timer with
 * the monotonic clock, which stops on some devices, and with the phone's date, of which only jumps matter. Returns a function that stops.
 */
export function detectSleep({ now, date, setTimer }: Environment, onWake: () => void): () => void {
  let cancel = (): void => {};
  const startTimer = (): void => {
    const [startMs, startDateMs] = [now(), date()];
    cancel = setTimer(() => {
      startTimer();
      if (Math.max(now() - startMs, date() - startDateMs) > intervalMs + sleptMs) onWake();
    }, intervalMs);
  };
  startTimer();
  return () => cancel();
}
