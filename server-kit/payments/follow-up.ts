import { hasMoreSince, type OutboxOutcome } from '../stores/outbox-event.ts';
import type { PaymentRecord } from '../stores/store.ts';
import { mayHoldMoney } from './outcome.ts';
import { isOpened } from './payment-view.ts';

/** How long payments are looked at although no shopper waits for them. */
export type WatchTimes = {
  /** For money that comes after the account has expired, in seconds after that. */
  lateWatchSeconds: number;
  /** For the reversal of a paid payment, in seconds after the service last changed it. */
  reversalWatchSeconds: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Between looks at an open account. Callbacks come sooner; this finds what they miss. */
const openIntervalMs = minuteMs;

/** Longer than any call that opens a payment takes, with its retries. */
const openingMs = 5 * minuteMs;

/** What the merchant may have to be told of a payment in this state. The store knows which of it is news. */
export function reportableOutcomes(record: PaymentRecord): readonly OutboxOutcome[] {
  const { outcome, observed } = record;
  const hasMoney = observed !== null && observed.chargedAmount > 0 && observed.status !== 'reversed';
  switch (outcome) {
    case 'pending':
      return [];
    case 'replaced':
      return hasMoney ? ['unexpectedMoney'] : [];
    // An order is told once that it has expired, however many of its payments do, and money may come after that.
    case 'expired':
    case 'failed':
      return hasMoney ? [outcome, 'unexpectedMoney'] : [outcome];
    case 'paid':
    case 'amountMismatch':
      return hasMoreSince(record) ? [outcome, 'unexpectedMoney'] : [outcome];
    default:
      return [outcome];
  }
}

/**
 * How long until somebody has to look at the payment again, in milliseconds; `null` for never. The pauses grow with the
 * time that has passed, so that nothing has to be counted.
 *
 * @param serviceNow the service's clock, in milliseconds since the epoch
 */
export function nextCheckMs(record: PaymentRecord, serviceNow: number, times: WatchTimes): number | null {
  const { outcome, observed } = record;
  if (outcome === 'reversed' && !record.isReversedUnpaid) return null;
  if (!isOpened(record)) {
    // Its account was shown to nobody: left behind by a crash, or closed. The service may have made it, and sent its link.
    const sinceCreatedMs = serviceNow - Date.parse(record.createdAt);
    return outcome === 'pending' ? openingMs : growing(sinceCreatedMs, times.lateWatchSeconds, lateIntervals);
  }
  if (outcome === 'paid') {
    const paidMs = Math.max(Date.parse(observed?.updatedAt ?? ''), Date.parse(record.createdAt));
    const sincePaidMs = serviceNow - paidMs;
    return growing(sincePaidMs, times.reversalWatchSeconds, { leastMs: 10 * minuteMs, mostMs: 24 * hourMs });
  }
  // What has failed before its account expired, which may be far ahead, waits for late money as well.
  const hasEnded = outcome === 'failed' || outcome === 'amountMismatch';
  const endedMs = Date.parse((hasEnded && record.outcomeAt) || record.opened.expiresAt);
  const sinceExpiryMs = serviceNow - Math.min(endedMs, Date.parse(record.opened.expiresAt));
  if (sinceExpiryMs < 0) return Math.min(openIntervalMs, 1000 - sinceExpiryMs);
  // Money that the service is about to confirm is worth a look a minute, for as long as it is fresh, and is never given up:
  // nobody has been told of it.
  const isUnconfirmed = outcome === 'pending' && mayHoldMoney(record);
  const endSeconds = isUnconfirmed ? Number.POSITIVE_INFINITY : times.lateWatchSeconds;
  return growing(sinceExpiryMs, endSeconds, isUnconfirmed ? unconfirmedIntervals : lateIntervals);
}

const lateIntervals = { leastMs: openIntervalMs, mostMs: 6 * hourMs };
const unconfirmedIntervals = { leastMs: openIntervalMs, mostMs: hourMs };

function growing(
  passedMs: number,
  endSeconds: number,
  { leastMs, mostMs }: { leastMs: number; mostMs: number },
): number | null {
  return passedMs > endSeconds * 1000 ? null : Math.min(Math.max(passedMs / 4, leastMs), mostMs);
}

/** Whether an instance may be about to record the account of this payment. */
export const mayBeOpening = ({ createdAt }: PaymentRecord, serviceNow: number): boolean =>
  serviceNow - Date.parse(createdAt) < openingMs;

/** How long to wait after a look that failed: a tenth of the payment's age, from half a minute to an hour. */
export function retryCheckMs({ createdAt }: PaymentRecord, serviceNow: number): number {
  return Math.min(Math.max((serviceNow - Date.parse(createdAt)) / 10, minuteMs / 2), hourMs);
}
