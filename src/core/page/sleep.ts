import type { Environment } from './environment.ts';

const beatMs = 5000;
/** A timer that is later than this was held up by more than a busy page. */
const sleptMs = 10_000;

/**
 * Calls `onSlept` when the device has slept: many do not tell the page, and what was on the wire is dead then. Seen by
 * a timer that comes too late by either clock, because the monotonic one stands still on some devices meanwhile. What
 * the phone's date is does not matter, only that it leapt. Returns a function that ends it.
 */
export function noticeSleep({ now, date, setTimer }: Environment, onSlept: () => void): () => void {
  let cancel = (): void => {};
  const beat = (): void => {
    const [beganAt, beganOn] = [now(), date()];
    cancel = setTimer(() => {
      beat();
      if (Math.max(now() - beganAt, date() - beganOn) > beatMs + sleptMs) onSlept();
    }, beatMs);
  };
  beat();
  return () => cancel();
}
