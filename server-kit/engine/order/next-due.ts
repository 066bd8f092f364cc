import { holdsMoney } from '../../core/payment.ts';
import { isUnconfirmed, mayHoldMoney } from './money.ts';
import { closesAfterMs } from './next-step.ts';
import { isUnopenedLink } from './observe.ts';
import { isShown, type KnownPayment, type Observation, type Order, type Payment } from './record.ts';

/** How long payments are verified although no shopper waits for them. */
export type WatchTimes = {
  /** For late money, in seconds after the account has expired. */
  lateWatchSeconds: number;
  /** For the reversal of confirmed money, in seconds after the service last changed it. */
  reversalWatchSeconds: number;
};

export type DueFacts = WatchTimes & {
  /** The clocks of the service, of this process and of the store, in milliseconds. */
  serviceNow: number;
  now: number;
  storeNow: number;
};

/** The time until the next verification, or why there is none. */
export type Due = { afterMs: number } | { afterMs: null; because: 'noPayments' | 'watchIsOver' };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The pause where a clock was or is wrong about the end of the watch: that must not end it for good. */
const doubtfulMs = hourMs;

/** A pause grows with the time that has passed, by this share of it, so that nothing has to be counted. */
type Pause = { share: number; leastMs: number; mostMs: number };

type Pauses = Record<'open' | 'late' | 'confirmed' | 'unconfirmed', Pause>;

const unconfirmed: Pause = { share: 1 / 4, leastMs: minuteMs, mostMs: hourMs };

/** Callbacks may be lost: verifications find the money. */
const pauses: Pauses = {
  open: { share: 1 / 60, leastMs: minuteMs, mostMs: 10 * minuteMs },
  late: { share: 1 / 2, leastMs: minuteMs, mostMs: dayMs },
  confirmed: { share: 1, leastMs: 30 * minuteMs, mostMs: 2 * dayMs },
  unconfirmed,
};

/** Returns when the service is asked next: as soon as the first payment wants it. */
export function nextDue({ payments }: Order, facts: DueFacts): Due {
  const pauses = payments.flatMap((payment) => surePauseOf(payment, facts) ?? []);
  if (pauses.length > 0) return { afterMs: Math.min(...pauses) };
  return { afterMs: null, because: payments.length === 0 ? 'noPayments' : 'watchIsOver' };
}

/**
 * Returns the payments to verify when the record is due: all of them, for the last verification of a watch comes after its end. While
 * an instance opens a payment, its account is not recorded yet.
 */
export const referencesToVerify = ({ payments }: Order): string[] =>
  payments.filter(({ state }) => state !== 'opening').map(({ reference }) => reference);

/** Returns the pause until one payment is verified next; `null` for never. */
function surePauseOf(payment: Payment, facts: DueFacts): number | null {
  const isOverHere = pauseOf(payment, facts, facts.now) === null && !willExpire(payment);
  return pauseOf(payment, facts, facts.serviceNow) ?? (isOverHere ? null : doubtfulMs);
}

/** Whether a verification of ours has to expire the payment. The last one may have had a wrong clock. */
const willExpire = (payment: Payment): boolean =>
  isShown(payment) && isUnopenedLink(payment) && payment.observed === null;

function pauseOf(payment: Payment, facts: DueFacts, now: number): number | null {
  if (payment.state === 'opening') return closesAfterMs(payment, facts.storeNow) + 1000;
  const { observed } = payment;
  const reversalPause =
    observed !== null && mayBeReversed(observed)
      ? growingUntil(now - updateOf(payment, observed), pauses.confirmed, facts.reversalWatchSeconds)
      : null;
  if (observed?.status === 'succeeded' && reversalPause !== null) return reversalPause;
  const sinceEndMs = now - endOf(payment);
  if (sinceEndMs < 0 && payment.opened !== null)
    return Math.min(growing(now - Date.parse(payment.opened.openedAt), pauses.open), 1000 - sinceEndMs);
  // Unconfirmed money has not been reported, so it is watched without end.
  return observed !== null && isUnconfirmed(observed) && mayHoldMoney(payment)
    ? growing(sinceEndMs, pauses.unconfirmed)
    : (growingUntil(sinceEndMs, pauses.late, facts.lateWatchSeconds) ?? reversalPause);
}

/** Whether money is there that a reversal may take back, also where the payment has failed since. */
const mayBeReversed = (observed: Observation): boolean => holdsMoney(observed) && !isUnconfirmed(observed);

/**
 * Late money is expected from the expiry on, or from the failure or reversal; if nobody has seen the account, from the beginning: the
 * service may have created it anyway, and sent its link.
 */
function endOf(payment: KnownPayment): number {
  const { observed, createdAt } = payment;
  if (payment.opened === null) return Date.parse(createdAt);
  const isGivenUp = observed?.status === 'failed' || observed?.status === 'reversed';
  return isGivenUp ? updateOf(payment, observed) : Date.parse(payment.opened.expiresAt);
}

/** When the service has changed a payment. A wrong date must not end the watch. */
const updateOf = ({ createdAt }: KnownPayment, { updatedAt }: Observation): number =>
  Math.max(Date.parse(updatedAt), Date.parse(createdAt));

const growing = (passedMs: number, { share, leastMs, mostMs }: Pause): number =>
  Math.min(Math.max(passedMs * share, leastMs), mostMs);

const growingUntil = (passedMs: number, pause: Pause, endSeconds: number): number | null =>
  passedMs > endSeconds * 1000 ? null : growing(passedMs, pause);

/** Returns the pause after a failed verification: a tenth of the payment's age, from half a minute to an hour. */
export function retryPauseMs({ payments }: Order, serviceNow: number): number {
  const createdMs = Date.parse(payments.at(-1)?.createdAt ?? '') || serviceNow;
  return Math.min(Math.max((serviceNow - createdMs) / 10, minuteMs / 2), hourMs);
}
