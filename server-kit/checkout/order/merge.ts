import type { Money, PaymentStatus } from '../../../src/contract/index.ts';
import { emptyStatuses, holdsMoney, isWhole } from '../../client/platform/payment-money.ts';
import { confirmedAmount, isEmptied, isUnconfirmed } from './money.ts';
import type { Observation } from './order.ts';

/**
 * Why a response of the service changes nothing:
 *
 * - `afterPaid`: the payment is paid, and only a reversal counts then
 * - `afterReversal`: confirmed money was taken back, and only what is dated later counts then
 * - `forgetsMoney`: the record has money, and the response has none
 * - `older`: the record is newer
 * - `otherPayment`: it names another payment, currency or mode than the record
 */
export type IgnoredReason = 'afterPaid' | 'afterReversal' | 'forgetsMoney' | 'older' | 'otherPayment';

/** A record after a response: the same object if nothing has changed. An ignored response is not evidence of anything. */
export type Observed<T> = { record: T; ignored: IgnoredReason | null };

/**
 * Merges what the service says now into what it said before.
 *
 * The lifecycle decides first, because the clocks of the service's nodes differ by seconds: a full `succeeded` replaces every unpaid
 * status, whatever their dates, and a reversal replaces `succeeded`. Dates order what the lifecycle does not.
 *
 * @param amount what the payment costs
 */
export function mergeObservation(
  known: Observation | null,
  next: Observation,
  amount: Money,
): Observed<Observation> {
  if (known === null) return { record: annotate(next, null), ignored: null };
  if (isSame(known, next)) return { record: known, ignored: null };
  const ignored = reasonToIgnore(known, next, amount);
  return { record: ignored === null ? annotate(next, known) : known, ignored };
}

const isSame = (known: Observation, next: Observation): boolean =>
  known.status === next.status &&
  known.updatedAt === next.updatedAt &&
  known.chargedAmount === next.chargedAmount &&
  known.expectedAmount === next.expectedAmount;

/** Adds what later responses are judged by. */
function annotate(next: Observation, known: Observation | null): Observation {
  const { confirmingSince = next.updatedAt } = known ?? {};
  // Another payment of a link brings dates of its own.
  const before = { ...known, ...next };
  const confirmedAt = (confirmedAmount(next) ?? 0) > 0 ? next.updatedAt : before.confirmedAt;
  // A reversal of money that was never confirmed contradicts itself, and may come again.
  const isLoss = isEmptied(next) && known?.confirmedAt !== undefined;
  const lostAt = isLoss && !isEmptied(known) ? next.updatedAt : before.lostAt;
  const reversedAt = isLoss && next.status === 'reversed' ? next.updatedAt : before.reversedAt;
  return {
    ...next,
    ...(isConfirming(next) && { confirmingSince }),
    ...(confirmedAt !== undefined && { confirmedAt }),
    ...(reversedAt !== undefined && { reversedAt }),
    ...(lostAt !== undefined && { lostAt }),
  };
}

/** Money has arrived, and the service has not confirmed it. */
const isConfirming = ({ status }: Observation): boolean =>
  !emptyStatuses.has(status) && status !== 'succeeded';

function reasonToIgnore(known: Observation, next: Observation, amount: Money): IgnoredReason | null {
  if (known.status === 'reversed') return isAfterReversal(known, next) ? null : 'afterReversal';
  if (isBeforeReversal(known, next)) return 'older';
  if (isWhole(known, amount) && next.status !== 'succeeded') {
    return next.status === 'reversed' ? null : 'afterPaid';
  }
  // With the same status, only the date and the amount can differ.
  if (isWhole(next, amount) && known.status !== 'succeeded') return null;
  const isForgotten = holdsMoney(known) && !holdsMoney(next);
  if (isForgotten && next.status !== 'failed' && next.status !== 'reversed') return 'forgetsMoney';
  return isOlder(known, next) ? 'older' : null;
}

/**
 * How far the clocks of the service's nodes may be apart. Within it, a reversal follows a confirmation, because money that is taken
 * back so soon is not paid again so soon; beyond it, their dates decide.
 */
export const clockSkewMs = 30_000;

/** How wrong the date of a change may be: by an hour where daylight saving time ends, or a time zone is mistaken. */
const wrongDateMs = 2 * 3_600_000;

/** Confirmed money that was taken back can be followed by whatever is dated later, for a shopper can pay again. */
function isAfterReversal(known: Observation, next: Observation): boolean {
  // A reversal of money that was never confirmed contradicts itself, so the next response counts.
  if (known.confirmedAt === undefined) return true;
  const laterMs = Date.parse(next.updatedAt) - Date.parse(known.updatedAt);
  if (next.status === 'reversed') return laterMs >= 0;
  // A reversal may come late: then the last confirmation is newer than it.
  return laterMs > clockSkewMs && !isBeforeLoss(known, next.updatedAt);
}

/** A lagging node may repeat a reversal that new money has followed, or a state before it. */
function isBeforeReversal(known: Observation, { status, updatedAt }: Observation): boolean {
  if (status === 'succeeded' && isBeforeLoss(known, updatedAt)) return true;
  if (known.reversedAt === undefined) return false;
  const laterMs = Date.parse(updatedAt) - Date.parse(known.reversedAt);
  // A wrong date of the confirmation must not hide a new reversal.
  return laterMs <= (status === 'reversed' ? 0 : clockSkewMs);
}

/** Confirmed money is gone, even if its reversal was never seen; so is everything dated before it. */
const isBeforeLoss = (known: Observation, updatedAt: string): boolean =>
  known.confirmedAt !== undefined &&
  !confirmedAmount(known) &&
  Date.parse(known.confirmedAt) - Date.parse(updatedAt) > wrongDateMs;

/** The statuses that can follow each status; an unknown status has no place in the lifecycle. */
const followers: Readonly<Record<string, readonly PaymentStatus[]>> = {
  initiated: ['awaiting_charge', 'charged', 'succeeded', 'failed', 'expired', 'reversed'],
  awaiting_charge: ['charged', 'succeeded', 'failed', 'expired', 'reversed'],
  expired: ['charged', 'succeeded', 'failed', 'reversed'],
  charged: ['succeeded', 'failed', 'reversed'],
  succeeded: ['reversed'],
};

const canFollow = (status: string, known: string): boolean =>
  followers[known]?.includes(status as PaymentStatus) === true;

/**
 * Orders two observations by the lifecycle, then by `updatedAt`, then by amount (less money is older). An observation with more money
 * than before is not older, for a stale view cannot know of it; unless its date is that of money that was taken back or given up since.
 */
function isOlder(known: Observation, next: Observation): boolean {
  const isLess = next.chargedAmount < known.chargedAmount;
  const ageMs = Date.parse(known.updatedAt) - Date.parse(next.updatedAt);
  if (next.chargedAmount > known.chargedAmount && ageMs <= goneAfterMs(known, next)) return false;
  if (canFollow(next.status, known.status)) return isStaleEnd(known, next, ageMs);
  if (canFollow(known.status, next.status)) return true;
  if (isAboutFailure(known, next)) return ageMs > clockSkewMs;
  return ageMs > 0 || (ageMs === 0 && isLess);
}

/** Whether a failure takes money, or is contradicted. It is not final: within the clocks' difference, the last response counts. */
const isAboutFailure = (known: Observation, next: Observation): boolean =>
  next.status === 'failed' ? next.chargedAmount < known.chargedAmount : known.status === 'failed';

/** How much earlier than the known observation new money may be dated, in milliseconds; money dated earlier is gone. */
function goneAfterMs(known: Observation, { status }: Observation): number {
  if (known.status !== 'succeeded' && known.status !== 'failed') return Number.POSITIVE_INFINITY;
  // Confirmed money is taken back, and paid again, only days later.
  return known.status === 'succeeded' && status === 'succeeded' ? wrongDateMs : clockSkewMs;
}

/** An end with an earlier date, of less money than was seen since, is a stale view; and so is a reversal before money that came since. */
const isStaleEnd = (known: Observation, next: Observation, ageMs: number): boolean =>
  next.status === 'reversed'
    ? ageMs > wrongDateMs && isUnconfirmed(known)
    : ageMs > clockSkewMs && emptyStatuses.has(next.status) && next.chargedAmount < known.chargedAmount;
