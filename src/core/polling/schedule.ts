import { maxWaitSeconds } from '../../contract/index.ts';
import type { Environment } from '../page/environment.ts';

/** The minimum interval of manual checks while the server asks for a longer pause. */
const manualIntervalMs = 10_000;

/** How long a follower waits for a shared response that is due after `quietMs`: one and a half times that, up to a limit. */
const patienceMs = (quietMs: number): number => 1.5 * Math.min(quietMs, 300_000);

/** How long the server may hold a response, in milliseconds. */
export const maxHeldMs = maxWaitSeconds * 1000;

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
  /** Another tab has shared a response, and will share the next one after `quietMs`. */
  readonly heard: (quietMs: number) => void;
  /** Returns the milliseconds until the next check of a leader or a follower; 0 or less means now. */
  readonly waitMs: (isLeader: boolean) => number;
};

/** Creates the schedule of one poller. `isRequested` requests the first check, even for a follower. */
export function createSchedule({ now }: Environment, isRequested: boolean): Schedule {
  let isPending = isRequested;
  let beganAtMs = 0;
  let nextAtMs = now();
  /** The server refuses earlier requests. */
  let notBeforeMs = 0;
  /** When a follower stops waiting for the leader. */
  let silentAtMs = now() + patienceMs(maxHeldMs);
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
      silentAtMs = nextAtMs + patienceMs(maxHeldMs);
      if (isOrdered) notBeforeMs = nextAtMs;
    },
    heard(quietMs) {
      silentAtMs = now() + patienceMs(quietMs);
    },
    waitMs(isLeader) {
      const dueAtMs = isLeader ? nextAtMs : Math.max(nextAtMs, silentAtMs);
      return (isPending ? notBeforeMs : Math.max(notBeforeMs, dueAtMs)) - now();
    },
  };
}
