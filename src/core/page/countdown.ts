import type { Environment } from './environment.ts';

export type Countdown = {
  /** Sets the end, in milliseconds since the epoch on the service's clock, and the service's clock where known. */
  readonly correct: (expiresAtMs: number, serviceTimeMs: number | undefined) => void;
  readonly stop: () => void;
};

/**
 * Counts the time left until a payment expires. It runs on the monotonic clock and starts from what the service's
 * clock said last; the phone's date is never asked. Until the service's clock is known the time left is unknown.
 *
 * `onTick` gets the milliseconds left, never below 0, whenever another second has passed; `onZero` is called once
 * each time that zero is reached: it is for the server to say what that means.
 */
export function createCountdown(
  environment: Pick<Environment, 'now' | 'setTimer'>,
  onTick: (remainingMs: number) => void,
  onZero: () => void,
): Countdown {
  /** The end on the monotonic clock. */
  let endsAt = 0;
  let serviceOffset: number | undefined;
  let isZero = false;
  let cancel = (): void => {};

  const tick = (): void => {
    cancel();
    const remainingMs = Math.max(0, endsAt - environment.now());
    onTick(remainingMs);
    if (remainingMs > 0) {
      isZero = false;
      cancel = environment.setTimer(tick, remainingMs % 1000 || 1000);
    } else if (!isZero) {
      isZero = true;
      onZero();
    }
  };

  return {
    correct(expiresAtMs, serviceTimeMs) {
      if (serviceTimeMs !== undefined) serviceOffset = serviceTimeMs - environment.now();
      if (serviceOffset === undefined) return;
      endsAt = expiresAtMs - serviceOffset;
      tick();
    },
    stop: () => cancel(),
  };
}
