import { isLate, type PaymentRecord } from './payment-record.ts';
import type { DuePayment, RecordChange, StoreMeasures } from './store.ts';

/**
 * A payment and its schedule, for stores that keep objects. The functions here are the rules by which they change a row; the
 * SQL stores state the same rules in SQL.
 */
export type PaymentRow = {
  record: PaymentRecord;
  dueAt: number | null;
  /** Whether `wake` has requested a verification, and whether it has been claimed since. */
  wake: 'none' | 'asked' | 'claimed';
  /** How often it was claimed after a `wake`. */
  claims: number;
  createdAt: number;
  changedAt: number;
  /** Since when the record is `confirming`. */
  confirmingAt: number | null;
};

const dueAfter = (ms: number | null, now: number): number | null => (ms === null ? null : now + ms);

/** Creates the row of a new payment, with a copy of its record. */
export function createPaymentRow(
  record: PaymentRecord,
  { checkAfterMs }: Pick<RecordChange, 'checkAfterMs'>,
  now: number,
): PaymentRow {
  const times = { dueAt: dueAfter(checkAfterMs, now), createdAt: now, changedAt: now, confirmingAt: null };
  return { record: structuredClone(record), wake: 'none', claims: 0, ...times };
}

/** Writes the next version of the record, as a copy, and when it is due. The caller has compared the versions. */
export function updatePaymentRow(
  row: PaymentRow,
  record: PaymentRecord,
  { checkAfterMs, claim }: Pick<RecordChange, 'checkAfterMs' | 'claim'>,
  now: number,
): void {
  row.record = structuredClone({ ...record, version: record.version + 1 });
  row.changedAt = now;
  row.confirmingAt = record.confirming === undefined ? null : (row.confirmingAt ?? now);
  const isClaimant = row.wake === 'claimed' && row.claims === claim?.number;
  if (row.wake === 'none' || isClaimant) row.dueAt = dueAfter(checkAfterMs, now);
  if (isClaimant && claim?.result === 'verified') row.wake = 'none';
}

export function wakePayment(row: PaymentRow, now: number): void {
  row.dueAt = now;
  row.wake = 'asked';
}

/** Whether a verification was requested that has not been made yet. */
export const isWoken = ({ wake }: PaymentRow): boolean => wake !== 'none';

/** Leases the payment to one claimant. The record is not copied. */
export function claimPayment(row: PaymentRow, leaseMs: number, now: number): DuePayment {
  row.dueAt = now + leaseMs;
  if (!isWoken(row)) return { record: row.record, claim: null };
  row.wake = 'claimed';
  row.claims++;
  return { record: row.record, claim: row.claims };
}

/** Whether the payment is decided, was last changed longer ago than this, and needs no further verification. */
export const isPurgeable = (
  { record, dueAt, changedAt }: PaymentRow,
  olderThanMs: number,
  now: number,
): boolean => record.outcome !== 'pending' && dueAt === null && changedAt <= now - olderThanMs;

export type PaymentMeasures = Pick<StoreMeasures, 'oldestUnpaidMs' | 'oldestConfirmingMs' | 'checkLagMs'>;

export function measurePayments(rows: readonly PaymentRow[], now: number): PaymentMeasures {
  const unpaidSince = rows.flatMap(({ record, createdAt }) =>
    record.outcome === 'pending' ? createdAt : [],
  );
  const confirmingSince = rows.flatMap(({ confirmingAt }) => confirmingAt ?? []);
  const dueSince = rows.flatMap(({ dueAt }) => dueAt ?? []);
  return {
    oldestUnpaidMs: age(unpaidSince, now),
    oldestConfirmingMs: age(confirmingSince, now),
    checkLagMs: Math.max(0, age(dueSince, now) ?? 0),
  };
}

/** Returns the record of the oldest pending payment. */
export function findOldestUnpaid(rows: readonly PaymentRow[]): PaymentRecord | undefined {
  let oldest: PaymentRow | undefined;
  for (const row of rows)
    if (row.record.outcome === 'pending' && row.createdAt < (oldest?.createdAt ?? Infinity)) oldest = row;
  return oldest?.record;
}

/** Returns the number of payments that paid their order after the account had expired. */
export const countLate = (rows: readonly PaymentRow[]): number =>
  rows.filter(({ record }) => record.outcome === 'paid' && !record.isSecondPayment && isLate(record)).length;

/** Returns the age of the earliest of these moments. Not `Math.min(...since)`: a call takes only about 100,000 arguments. */
const age = (since: readonly number[], now: number): number | null =>
  since.length === 0 ? null : now - since.reduce((first, one) => Math.min(first, one));
