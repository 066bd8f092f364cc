import { type Money, type PaymentStatus, paymentStatuses } from '../../../src/contract/index.ts';
import { holdsMoney, isWhole } from '../../core/payment.ts';
import type { Observation } from './record.ts';

/**
 * Why a response of the service changes nothing:
 *
 * - `afterPaid`: the payment is paid, and only a reversal counts then
 * - `afterReversal`: it is dated before the last reversal
 * - `older`: the record is newer
 * - `otherPayment`: it names another currency or mode than the record, or another id and less money
 */
export type IgnoredReason = 'afterPaid' | 'afterReversal' | 'older' | 'otherPayment';

/** A record after a response: the same object if nothing has changed. An ignored response is not evidence of anything. */
export type Observed<T> = { record: T; ignored: IgnoredReason | null };

/** How far the clocks of the service's nodes may be apart. */
const clockSkewMs = 30_000;

/** How wrong a date may be: by an hour where daylight saving time ends, or a time zone is mistaken. */
const wrongDateMs = 2 * 3_600_000;

/** What a row of the table decides by. */
type Case = {
  known: Observation;
  next: Observation;
  /** The status of `next`. */
  says: string;
  /** Whether it is paid: `succeeded`, with the full amount. */
  isPaid: { known: boolean; next: boolean };
  /** Whether the full amount waits to be confirmed. */
  isFull: boolean;
  /** How much later `next` is dated, in milliseconds; negative for earlier. */
  laterMs: number;
  /** The same, from the last reversal on. */
  afterReversalMs: number;
};

type Row = { applies: (merge: Case) => boolean; ignored: IgnoredReason | null };

const accept = (applies: Row['applies']): Row => ({ applies, ignored: null });
const ignore = (ignored: IgnoredReason, applies: Row['applies']): Row => ({ applies, ignored });

/** The merge rule: the first row that applies decides. docs/reference/states.md has the same rows in words. */
export const mergeRows: readonly Row[] = [
  ignore(
    'afterReversal',
    ({ known, afterReversalMs }) =>
      afterReversalMs < 0 || (afterReversalMs === 0 && known.status !== 'reversed'),
  ),
  ignore(
    'afterReversal',
    ({ says, afterReversalMs }) => says !== 'reversed' && afterReversalMs <= clockSkewMs,
  ),
  accept(({ isPaid, says }) => isPaid.known && says === 'reversed'),
  ignore('afterPaid', ({ isPaid, says }) => isPaid.known && says !== 'succeeded'),
  accept(({ isPaid, known }) => isPaid.next && known.status !== 'succeeded'),
  accept(
    ({ known, next, says }) =>
      !isFinal(known) && says !== 'reversed' && next.chargedAmount > known.chargedAmount,
  ),
  ignore('older', ({ isFull, says }) => isFull && canFollow('charged', says)),
  ignore('older', ({ known, says, laterMs }) => laterMs <= clockSkewMs && isBehind(known, says)),
  accept(({ laterMs }) => laterMs > 0),
  accept(
    ({ known, next, laterMs }) =>
      laterMs >= -(hasLess(known, next) ? clockSkewMs : wrongDateMs) && isProgress(known, next),
  ),
  accept(({ known, next, laterMs }) => laterMs === 0 && next.status === known.status),
  ignore('older', () => true),
];

/** Merges what the service says now into what it said before. Returns the same object if it says nothing new. */
export function mergeObservation(
  known: Observation | null,
  next: Observation,
  price: Money,
): Observed<Observation> {
  if (known === null) return { record: annotate(next, null), ignored: null };
  if (isSame(known, next)) return { record: known, ignored: null };
  const merge = toCase(known, next, price);
  const ignored = mergeRows.find(({ applies }) => applies(merge))?.ignored ?? null;
  return { record: ignored === null ? annotate(next, known) : known, ignored };
}

function toCase(known: Observation, next: Observation, price: Money): Case {
  const at = Date.parse(next.updatedAt);
  return {
    known,
    next,
    says: next.status,
    isPaid: { known: isWhole(known, price), next: isWhole(next, price) },
    isFull: known.status === 'charged' && known.chargedAmount >= Math.max(known.expectedAmount, price.value),
    laterMs: at - Date.parse(known.updatedAt),
    afterReversalMs:
      known.reversedAt === undefined ? Number.POSITIVE_INFINITY : at - Date.parse(known.reversedAt),
  };
}

const isSame = (known: Observation, next: Observation): boolean =>
  known.status === next.status &&
  known.updatedAt === next.updatedAt &&
  known.chargedAmount === next.chargedAmount &&
  known.expectedAmount === next.expectedAmount;

/** Adds what later responses are judged by. */
function annotate(next: Observation, known: Observation | null): Observation {
  const reversedAt = next.status === 'reversed' ? next.updatedAt : known?.reversedAt;
  return {
    ...next,
    ...(isCharged(next) && { confirmingSince: known?.confirmingSince ?? next.updatedAt }),
    ...(reversedAt !== undefined && { reversedAt }),
  };
}

/** Whether money has arrived, and its status is open. */
const isCharged = (observed: Observation): boolean =>
  holdsMoney(observed) && (observed.status === 'charged' || !isKnown(observed.status));

/** The statuses that can follow each status. An unknown status has the place of `awaiting_charge`. */
const followers = {
  initiated: ['awaiting_charge', 'charged', 'succeeded', 'failed', 'expired', 'reversed'],
  awaiting_charge: ['charged', 'succeeded', 'failed', 'expired', 'reversed'],
  expired: ['charged', 'succeeded', 'failed', 'reversed'],
  charged: ['succeeded', 'failed', 'reversed'],
  succeeded: ['reversed', 'failed'],
  failed: ['reversed'],
  reversed: [],
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>;

const isKnown = (status: string): status is PaymentStatus =>
  paymentStatuses.includes(status as PaymentStatus);

const placeOf = (status: string): PaymentStatus => (isKnown(status) ? status : 'awaiting_charge');

const canFollow = (status: string, known: string): boolean =>
  (followers[placeOf(known)] as readonly string[]).includes(placeOf(status));

/** Whether a response that is dated about the same would go back behind a confirmed part. */
const isBehind = ({ status, chargedAmount }: Observation, says: string): boolean =>
  (status === 'succeeded' || (status === 'expired' && chargedAmount > 0)) && canFollow(status, says);

const hasLess = (known: Observation, next: Observation): boolean => next.chargedAmount < known.chargedAmount;

/** A charged part can expire, too: with the same money, its expiry came later. */
const isProgress = (known: Observation, next: Observation): boolean =>
  canFollow(next.status, known.status) ||
  (known.status === 'charged' && next.status === 'expired' && !hasLess(known, next)) ||
  (next.status === known.status && next.chargedAmount > known.chargedAmount);

/** A stale response may have more money than a payment that has lost it. */
const isFinal = ({ status }: Observation): boolean => status === 'succeeded' || status === 'failed';
