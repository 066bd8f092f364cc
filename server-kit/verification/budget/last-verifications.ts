import { remainingMs } from '../../async/wait.ts';
import type { Spacing } from './spacing.ts';

/** The last verification of a payment. Its maker sets the time until the next one, and the error with which it failed. */
export type LastVerification = { at: number; intervalMs: number; error: unknown };

/** The last verifications of this instance, by reference. */
export type LastVerifications = {
  /** Returns the time until the next verification is due, in milliseconds. */
  msUntilDue: (reference: string) => number;
  errorOf: (reference: string) => unknown;
  /** Records that a verification starts now. */
  begin: (reference: string) => LastVerification;
  /** Returns how many payments shoppers waited for when that was last counted. */
  countWaiting: () => number;
};

export type LastVerificationsOptions = {
  verificationIntervalMs: number;
  /** Verifications this far apart are not for a waiting shopper. */
  settledIntervalMs: number;
  spacing: Spacing;
  /** Returns how many payments are queued for a verification now. */
  countQueued: () => number;
  now: () => number;
};

/** A verification is remembered at least this long, because the spacing may have grown since. */
const rememberedMs = 40_000;

export function createLastVerifications(options: LastVerificationsOptions): LastVerifications {
  const { verificationIntervalMs, settledIntervalMs, spacing, countQueued, now } = options;
  const lasts = new Map<string, LastVerification>();
  let sweptAt = now();
  let waiting = 0;

  const msUntilDue = (reference: string): number => {
    const last = lasts.get(reference);
    if (last === undefined) return 0;
    // If callbacks have started to arrive since, the next one can wait longer.
    const leastMs = last.error === undefined ? spacing.leastMs(waiting) : 0;
    return remainingMs(last.at, Math.max(last.intervalMs, leastMs), now());
  };
  /** Counts, and forgets old entries; once an interval, because it takes time in proportion to all entries. */
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
