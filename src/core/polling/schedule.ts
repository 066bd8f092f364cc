import { maxWaitSeconds } from '../../contract/index.ts';
import type { Environment } from '../page/environment.ts';

/** How often a person may ask while the server wants to be left alone. */
const byHandMs = 10_000;

/** How long a tab listens for word that should come after `quietMs`: one and a half waits, and never for good. */
const patienceMs = (quietMs: number): number => 1.5 * Math.min(quietMs, 300_000);

/** How long the server may hold an answer, in milliseconds. */
export const heldMs = maxWaitSeconds * 1000;

/** When the next look is due. */
export type Schedule = {
  /** Somebody, or something that happened, wants a look at once. */
  readonly hurry: () => void;
  /** The same by hand: that may be sooner than the server has asked for, though not at once. */
  readonly hurryByHand: () => void;
  /** A look begins; gives whether it was wanted at once. */
  readonly begin: () => boolean;
  /** A look has ended. Without a delay nothing more is to be expected, and a look is made only when it is wanted. */
  readonly end: (delayMs: number | undefined, isOrdered: boolean) => void;
  /** Another tab has told, and means to tell again after `quietMs`. */
  readonly heard: (quietMs: number) => void;
  /** Milliseconds until the next look of a leader or of a tab that follows one; none or less: now. */
  readonly waitMs: (isLeader: boolean) => number;
};

/**
 * @param isUrgent the first look is wanted at once, also by a tab that follows
 * @param firstMs when it is due where it is not
 */
export function createSchedule({ now }: Environment, isUrgent: boolean, firstMs = 0): Schedule {
  let isWanted = isUrgent;
  let askedAt = 0;
  let nextAt = now() + firstMs;
  /** Before that the server does not want to see us at all. */
  let notBefore = 0;
  /** When a tab that follows has waited for long enough. */
  let silentAt = now() + patienceMs(heldMs);
  return {
    hurry() {
      isWanted = true;
    },
    hurryByHand() {
      isWanted = true;
      notBefore = Math.min(notBefore, askedAt + byHandMs);
    },
    begin() {
      const wasWanted = isWanted;
      isWanted = false;
      askedAt = now();
      return wasWanted;
    },
    end(delayMs = Number.POSITIVE_INFINITY, isOrdered) {
      nextAt = now() + delayMs;
      silentAt = nextAt + patienceMs(heldMs);
      if (isOrdered) notBefore = nextAt;
    },
    heard(quietMs) {
      silentAt = now() + patienceMs(quietMs);
    },
    waitMs(isLeader) {
      const dueAt = isLeader ? nextAt : Math.max(nextAt, silentAt);
      return (isWanted ? notBefore : Math.max(notBefore, dueAt)) - now();
    },
  };
}
