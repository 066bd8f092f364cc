import { hasMoreSince, type OutboxOutcome } from '../stores/outbox-event.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import { mayHoldMoney } from './outcome.ts';
import { isOpened } from './payment-view.ts';

/** How long payments are verified although no shopper waits for them. */
export type WatchTimes = {
  /** For late money, in seconds after the account has expired. */
  lateWatchSeconds: number;
  /** For the reversal of a paid payment, in seconds after the service last changed it. */
  reversalWatchSeconds: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Between verifications of an open account. Callbacks are sooner; this finds what they miss. */
const openIntervalMs = minuteMs;

/** Longer than any call that opens a payment takes, with its retries. */
const openingMs = 5 * minuteMs;

/** Returns the outcomes to report for a payment in this state. The store adds an event only for those that are new. */
export function reportableOutcomes(record: PaymentRecord): readonly OutboxOutcome[] {
  const { outcome, observed } = record;
  const hasMoney = observed !== null && observed.chargedAmount > 0 && observed.status !== 'reversed';
  switch (outcome) {
    case 'pending':
      return [];
    case 'replaced':
      return hasMoney ? ['unexpectedMoney'] : [];
    // `expired` and `failed` are reported once an order, and money may arrive later.
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
 * Returns the time until the next verification, in milliseconds; `null` for never. The pauses grow with the time that has
 * passed, so that nothing has to be counted.
 *
 * @param serviceNow the service's clock, in milliseconds since the epoch
 */
export function nextCheckMs(record: PaymentRecord, serviceNow: number, times: WatchTimes): number | null {
  const { outcome, observed } = record;
  if (outcome === 'reversed' && !record.isReversedUnpaid) return null;
  if (!isOpened(record)) {
    // Left behind by a crash, or closed, and never shown. The service may have created it, and sent its link.
    const sinceCreatedMs = serviceNow - Date.parse(record.createdAt);
    return outcome === 'pending' ? openingMs : growing(sinceCreatedMs, times.lateWatchSeconds, lateIntervals);
  }
  if (outcome === 'paid') {
    const paidMs = Math.max(Date.parse(observed?.updatedAt ?? ''), Date.parse(record.createdAt));
    const sincePaidMs = serviceNow - paidMs;
    return growing(sincePaidMs, times.reversalWatchSeconds, { leastMs: 10 * minuteMs, mostMs: 24 * hourMs });
  }
  // The expiry of a failed payment may be far ahead: its late money is expected from the failure on.
  const hasEnded = outcome === 'failed' || outcome === 'amountMismatch';
  const endedMs = Date.parse((hasEnded && record.outcomeAt) || record.opened.expiresAt);
  const sinceExpiryMs = serviceNow - Math.min(endedMs, Date.parse(record.opened.expiresAt));
  if (sinceExpiryMs < 0) return Math.min(openIntervalMs, 1000 - sinceExpiryMs);
  // Unconfirmed money is verified each minute while it is fresh, and never given up: it has not been reported.
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

/** Whether an instance may still record the account of this payment. */
export const mayBeOpening = ({ createdAt }: PaymentRecord, serviceNow: number): boolean =>
  serviceNow - Date.parse(createdAt) < openingMs;

/** Returns the pause after a failed verification: a tenth of the payment's age, from half a minute to an hour. */
export function retryCheckMs({ createdAt }: PaymentRecord, serviceNow: number): number {
  return Math.min(Math.max((serviceNow - Date.parse(createdAt)) / 10, minuteMs / 2), hourMs);
}
