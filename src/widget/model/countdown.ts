import type { Environment } from '../../core/connection/environment.ts';

export type Countdown = {
  /** Counts to another end, on the monotonic clock. */
  readonly setEnd: (endMs: number) => void;
  readonly stop: () => void;
};

/**
 * Creates a countdown on the monotonic clock: it never uses the phone's date. `onTick` receives the milliseconds left, at least 0, each
 * second. `onZero` is called each time that zero is reached; the server decides whether the payment has expired.
 */
export function createCountdown(
  { now, setTimer }: Pick<Environment, 'now' | 'setTimer'>,
  onTick: (remainingMs: number) => void,
  onZero: () => void,
): Countdown {
  let end = 0;
  let isZero = false;
  let cancel = (): void => {};

  const tick = (): void => {
    cancel();
    const remainingMs = Math.max(0, end - now());
    onTick(remainingMs);
    if (remainingMs > 0) {
      isZero = false;
      cancel = setTimer(tick, remainingMs % 1000 || 1000);
    } else if (!isZero) {
      isZero = true;
      onZero();
    }
  };

  return {
    setEnd(endMs) {
      end = endMs;
      tick();
    },
    stop: () => cancel(),
  };
}
