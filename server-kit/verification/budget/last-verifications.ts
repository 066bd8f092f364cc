import { remainingMs } from '../../async/wait.ts';
import type { Client } from '../../fairness/client.ts';
import type { Spacing, WaitingClient } from './spacing.ts';

/** The last verification of a payment. Its maker sets the time until the next one, and the error with which it failed. */
export type LastVerification = {
  at: number;
  intervalMs: number;
  error: unknown;
  /** The last known client whose shopper has waited for it. */
  client: Client;
};

/** The last verifications of this instance, by reference. */
export type LastVerifications = {
  /** Returns the time until the next verification is due, in milliseconds. */
  msUntilDue: (reference: string) => number;
  errorOf: (reference: string) => unknown;
  /** Records that a verification starts now. */
  begin: (reference: string, client: Client) => LastVerification;
  /** Returns how many payments the client’s shoppers waited for when that was last counted, and its share. */
  waitingOf: (client: Client) => WaitingClient;
};

export type LastVerificationsOptions = {
  verificationIntervalMs: number;
  /** Verifications this far apart are not for a waiting shopper. */
  settledIntervalMs: number;
  spacing: Spacing;
  /** Returns the client of each payment that is queued for a verification now. */
  queued: () => Client[];
  now: () => number;
};

/** A verification is remembered at least this long, because the spacing may have grown since. */
const rememberedMs = 40_000;

export function createLastVerifications(options: LastVerificationsOptions): LastVerifications {
  const { verificationIntervalMs, settledIntervalMs, spacing, queued, now } = options;
  const lasts = new Map<string, LastVerification>();
  let sweptAt = now();
  let waiting = new Map<Client, number>();
  let perSecond = Number.POSITIVE_INFINITY;

  const waitingOf = (client: Client): WaitingClient => ({ payments: waiting.get(client) ?? 0, perSecond });
  const msUntilDue = (reference: string): number => {
    const last = lasts.get(reference);
    if (last === undefined) return 0;
    // If callbacks have started to arrive since, the next one can wait longer.
    const leastMs = last.error === undefined ? spacing.leastMs(waitingOf(last.client)) : 0;
    return remainingMs(last.at, Math.max(last.intervalMs, leastMs), now());
  };
  /** Counts, and forgets old entries; once an interval, because it takes time in proportion to all entries. */
  const sweep = (): void => {
    if (Math.abs(now() - sweptAt) < verificationIntervalMs) return;
    sweptAt = now();
    const known = [...lasts];
    const verified = known.filter(
      ([one, { intervalMs }]) => intervalMs < settledIntervalMs && msUntilDue(one) > 0,
    );
    waiting = countEach([...queued(), ...verified.map(([, { client }]) => client)]);
    perSecond = spacing.shareOf([...waiting.values()]);
    for (const [one, { at, intervalMs }] of known)
      if (remainingMs(at, Math.max(intervalMs, rememberedMs), now()) === 0) lasts.delete(one);
  };

  return {
    msUntilDue,
    errorOf: (reference) => lasts.get(reference)?.error,
    begin(reference, client = lasts.get(reference)?.client) {
      sweep();
      const last = { at: now(), intervalMs: verificationIntervalMs, error: undefined, client };
      lasts.set(reference, last);
      return last;
    },
    waitingOf,
  };
}

function countEach<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
