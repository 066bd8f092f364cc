import { remainingMs } from '../../async/remaining.ts';
import type { Spacing } from './spacing.ts';

/** The last look at a payment. Whoever makes it sets how long the next one can wait, and the error with which it failed. */
export type LastVerification = { at: number; intervalMs: number; error: unknown };

/** The last looks of this instance, by reference. */
export type LastVerifications = {
  /** How long until the next look is due, in milliseconds; 0 when it is. */
  msUntilDue: (reference: string) => number;
  errorOf: (reference: string) => unknown;
  /** Notes that one begins now. */
  begin: (reference: string) => LastVerification;
  /** How many payments were looked at because somebody waits for them, when that was last counted. */
  countWaiting: () => number;
};

export type LastVerificationsOptions = {
  verificationIntervalMs: number;
  /** Looks this far apart are not those of somebody who waits. */
  settledIntervalMs: number;
  spacing: Spacing;
  /** How many payments wait for a look now. */
  countQueued: () => number;
  now: () => number;
};

/** For so long a look is remembered at the least, in case that those who wait need not be looked at as often as then. */
const rememberedMs = 40_000;

export function createLastVerifications(options: LastVerificationsOptions): LastVerifications {
  const { verificationIntervalMs, settledIntervalMs, spacing, countQueued, now } = options;
  const lasts = new Map<string, LastVerification>();
  let sweptAt = now();
  let waiting = 0;

  const msUntilDue = (reference: string): number => {
    const last = lasts.get(reference);
    if (last === undefined) return 0;
    // Callbacks may have begun to arrive since, so that it can wait for longer than was thought then.
    const leastMs = last.error === undefined ? spacing.leastMs(waiting) : 0;
    return remainingMs(last.at, Math.max(last.intervalMs, leastMs), now());
  };
  /** Counts, and forgets what is long past, once an interval: each time would take time in proportion to all who wait. */
  const sweep = (): void => {
    if (Math.abs(now() - sweptAt) < verificationIntervalMs) return;
    sweptAt = now();
    const known = [...lasts];
    waiting =
      countQueued() +
      known.filter(([one, { intervalMs }]) => intervalMs < settledIntervalMs && msUntilDue(one) > 0).length;
    for (const [one, { at, intervalMs }] of known)
      if (remainingMs(at, Math.max(intervalMs, rememberedMs), now()) === 0) lasts.delete(one);
  };

  return {
    msUntilDue,
    errorOf: (reference) => lasts.get(reference)?.error,
    begin(reference) {
      sweep();
      const last = { at: now(), intervalMs: verificationIntervalMs, error: undefined };
      lasts.set(reference, last);
      return last;
    },
    countWaiting: () => waiting,
  };
}
