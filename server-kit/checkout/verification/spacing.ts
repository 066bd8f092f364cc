import { remainingMs } from '../../client/async/wait.ts';
import type { Client } from '../fairness/fair-queue.ts';

/** Why a payment is verified often or seldom: it waits for money, is settled, or is missing at the service. */
export type Pace = 'waiting' | 'settled' | 'missing';

/** The last verification of a payment, and the shopper who waits for it. */
type Last = {
  /** When it started; `-Infinity` before the first. */
  at: number;
  pace: Pace;
  error?: unknown;
  /** Spreads shoppers who came together. From 0 up to, not including, 1. */
  jitter: number;
  /** When a shopper last asked for the payment, and the last known client whose shopper did. */
  askedAt: number;
  client?: Client;
};

const unverified: Last = { at: -Infinity, pace: 'waiting', jitter: 0, askedAt: -Infinity };

export type SpacingOptions = {
  /** The minimum time between two verifications of one payment. */
  verificationIntervalMs: number;
  now: () => number;
  random: () => number;
};

/** A shopper who has not asked for this long no longer waits. */
export const forgottenMs = 60_000;

/** A settled payment may still be reversed; one that the service does not know rarely comes back. */
const leastMs = { waiting: 0, settled: 60_000, missing: 15_000 };

/** While callbacks arrive, the verifications per second for all waiting shoppers of this instance together, in equal shares of its clients. */
const waitingPerSecond = 20;

/**
 * Creates the spacing between the verifications of a payment: the minimum interval, as far as the budget allows. While callbacks
 * arrive, it grows with the number of payments for which shoppers wait, so that their verifications per second do not.
 */
export function createSpacing({ verificationIntervalMs, now, random }: SpacingOptions) {
  const payments = new Map<string, Last>();
  const { seeMoney, doCallbacksArrive } = createEvidence(now);
  let waiting = { countedAt: now(), byClient: new Map<Client, number>() };

  const isAwaited = ({ askedAt }: Last): boolean => remainingMs(askedAt, forgottenMs, now()) > 0;
  /** Returns the time until the next verification is due, in milliseconds. */
  const msLeft = ({ at, pace, error, jitter, client }: Readonly<Last>): number => {
    const { byClient } = waiting;
    const perSecond = waitingPerSecond / Math.max(byClient.size, 1);
    const shareMs = ((byClient.get(client) ?? 0) / perSecond) * 1000 * (1 + jitter / 4);
    const isSeldom = doCallbacksArrive() && error === undefined;
    return remainingMs(at, Math.max(verificationIntervalMs, leastMs[pace], isSeldom ? shareMs : 0), now());
  };
  /** Counts who waits, and forgets the others; once an interval, because it takes time in proportion to all payments. */
  const count = (): void => {
    if (Math.abs(now() - waiting.countedAt) < verificationIntervalMs) return;
    const byClient = new Map<Client, number>();
    for (const [reference, last] of payments) {
      const { client, pace } = last;
      if (!isAwaited(last) && msLeft(last) === 0) payments.delete(reference);
      if (isAwaited(last) && pace !== 'settled') byClient.set(client, (byClient.get(client) ?? 0) + 1);
    }
    waiting = { countedAt: now(), byClient };
  };
  const get = (reference: string): Last => {
    count();
    const last = payments.get(reference) ?? { ...unverified };
    payments.set(reference, last);
    return last;
  };

  return {
    seeMoney,
    doCallbacksArrive,
    msLeft,
    /** Returns the last verification of a payment for which a shopper waits now. */
    ask(reference: string, client?: Client): Readonly<Last> {
      const last = get(reference);
      return Object.assign(last, { askedAt: now(), client: client ?? last.client });
    },
    /** Whether a shopper waits for a payment whose next verification is due. */
    isWanted: (reference: string): boolean => isAwaited(get(reference)) && msLeft(get(reference)) === 0,
    errorOf: (reference: string): unknown => payments.get(reference)?.error,
    /** Records that a verification starts now. The caller sets its pace or error when it ends. */
    begin: (reference: string): Last =>
      Object.assign(get(reference), { at: now(), pace: 'waiting', error: undefined, jitter: random() }),
  };
}

/** Evidence older than this does not count: the service may have stopped sending callbacks. */
const evidenceMs = 600_000;

/** Callbacks count as arriving if they named this share of the last payments with money before the verification. */
const arrivingShare = 0.75;
const rememberedPayments = 20;

/** Estimates whether callbacks arrive: by the share of payments with money that a callback named before a verification found it. */
function createEvidence(now: () => number) {
  let [share, seen, namedAt] = [0, 0, -Infinity];
  return {
    seeMoney(isNamedByCallback: boolean): void {
      seen = Math.min(seen + 1, rememberedPayments);
      share += (Number(isNamedByCallback) - share) / seen;
      if (isNamedByCallback) namedAt = now();
    },
    doCallbacksArrive: (): boolean => Math.abs(now() - namedAt) <= evidenceMs && share >= arrivingShare,
  };
}
