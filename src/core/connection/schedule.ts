import type { Environment } from './environment.ts';

/** The minimum interval of manual checks while the server asks for a longer pause. */
const manualIntervalMs = 10_000;

/** When the next check is due. */
export type Schedule = {
  /** Requests an immediate check. */
  readonly request: () => void;
  /** Requests a check by the shopper: soon, even if the server has asked for a longer pause. */
  readonly requestByHand: () => void;
  /** Starts a check; returns whether it was requested. */
  readonly begin: () => boolean;
  /** Ends a check. Without a delay the next check must be requested. `isOrdered`: the server has set the delay. */
  readonly end: (delayMs: number | undefined, isOrdered: boolean) => void;
  /** Returns the milliseconds until the next check; 0 or less means now. */
  readonly waitMs: () => number;
};

export function createSchedule({ now }: Environment): Schedule {
  let isPending = false;
  let beganAtMs = 0;
  let nextAtMs = now();
  /** The server refuses earlier requests. */
  let notBeforeMs = 0;
  return {
    request() {
      isPending = true;
    },
    requestByHand() {
      isPending = true;
      notBeforeMs = Math.min(notBeforeMs, beganAtMs + manualIntervalMs);
    },
    begin() {
      const wasPending = isPending;
      isPending = false;
      beganAtMs = now();
      return wasPending;
    },
    end(delayMs = Number.POSITIVE_INFINITY, isOrdered) {
      nextAtMs = now() + delayMs;
      if (isOrdered) notBeforeMs = nextAtMs;
    },
    waitMs: () => Math.max(notBeforeMs, isPending ? 0 : nextAtMs) - now(),
  };
}
