import { createDueQueue } from './due-queue.ts';
import type { MemoryOutbox } from './memory-outbox.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { DuePayment, PaymentStore, StoreMeasures } from './store.ts';

type Row = {
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

type PaymentMeasures = Pick<StoreMeasures, 'oldestUnpaidMs' | 'oldestConfirmingMs' | 'checkLagMs'>;

export type MemoryPayments = {
  store: PaymentStore;
  measure: () => PaymentMeasures;
  purge: (olderThanMs: number) => number;
};

/** Creates the payments of the memory store. No method awaits anything, so each is atomic. */
export function createMemoryPayments(now: () => number, outbox: MemoryOutbox): MemoryPayments {
  const byReference = new Map<string, Row>();
  const byOrder = new Map<string, Row[]>();

  const paymentsOf = (orderId: string): PaymentRecord[] =>
    (byOrder.get(orderId) ?? [])
      .map(({ record }) => record)
      .sort((left, right) => left.attempt - right.attempt);
  const after = (ms: number | null): number | null => (ms === null ? null : now() + ms);
  const schedule = createSchedule((row) => byReference.get(row.record.reference) === row);

  const store: PaymentStore = {
    async insert(record, { checkAfterMs }) {
      const isTaken = paymentsOf(record.orderId).some(({ attempt }) => attempt === record.attempt);
      if (isTaken || byReference.has(record.reference)) return false;
      const times = { dueAt: after(checkAfterMs), createdAt: now(), changedAt: now(), confirmingAt: null };
      const row = { record: structuredClone(record), wake: 'none' as const, claims: 0, ...times };
      byReference.set(record.reference, row);
      schedule.add(row);
      byOrder.set(record.orderId, [...(byOrder.get(record.orderId) ?? []), row]);
      return true;
    },
    async update(record, { checkAfterMs, outcomes, claim }) {
      const row = byReference.get(record.reference);
      if (row?.record.version !== record.version) return undefined;
      row.record = structuredClone({ ...record, version: record.version + 1 });
      row.changedAt = now();
      row.confirmingAt = record.confirming === undefined ? null : (row.confirmingAt ?? now());
      const isClaimant = row.wake === 'claimed' && row.claims === claim?.number;
      if (row.wake === 'none' || isClaimant) row.dueAt = after(checkAfterMs);
      if (isClaimant && claim?.result === 'verified') row.wake = 'none';
      schedule.add(row);
      outbox.add(record, outcomes);
      return structuredClone(row.record);
    },
    findByReference: async (reference) => structuredClone(byReference.get(reference)?.record),
    listByOrder: async (orderId) => structuredClone(paymentsOf(orderId)),
    async listOrderOf(reference) {
      const row = byReference.get(reference);
      return row === undefined ? [] : structuredClone(paymentsOf(row.record.orderId));
    },
    async wake(reference) {
      const row = byReference.get(reference);
      if (row === undefined) return false;
      Object.assign(row, { dueAt: now(), wake: 'asked' });
      schedule.add(row);
      return true;
    },
    claimDue: async (options) => claimDue(schedule, now(), options),
  };

  return {
    store,
    measure: () => measure([...byReference.values()], now()),
    purge(olderThanMs) {
      const isSettled = ({ record, dueAt, changedAt }: Row): boolean =>
        record.outcome !== 'pending' && dueAt === null && changedAt <= now() - olderThanMs;
      const settled = [...byOrder].filter(
        ([orderId, order]) => order.every(isSettled) && outbox.isFinished(orderId),
      );
      for (const [orderId, order] of settled) {
        for (const { record } of order) byReference.delete(record.reference);
        byOrder.delete(orderId);
        outbox.forget(orderId);
      }
      return settled.flatMap(([, order]) => order).length;
    },
  };
}

function claimDue(
  schedule: Schedule,
  now: number,
  { limit, leaseMs, isWoken = false }: Parameters<PaymentStore['claimDue']>[0],
): DuePayment[] {
  const take = isWoken ? schedule.takeWoken : schedule.take;
  const due: Row[] = [];
  for (let row = take(now); row !== undefined; row = take(now)) {
    due.push(row);
    // Makes another entry of the same time out of date.
    row.dueAt = null;
    if (due.length === limit) break;
  }
  return due.map((row) => {
    row.dueAt = now + leaseMs;
    if (wasWoken(row)) Object.assign(row, { wake: 'claimed', claims: row.claims + 1 });
    schedule.add(row);
    return { record: structuredClone(row.record), claim: wasWoken(row) ? row.claims : null };
  });
}

const wasWoken = ({ wake }: Row): boolean => wake !== 'none';

type Schedule = ReturnType<typeof createSchedule>;

/** Creates the schedule of verifications: payments that were woken come first. */
function createSchedule(isKept: (row: Row) => boolean) {
  const queueOf = (isForWoken: boolean) =>
    createDueQueue<Row>((row, dueAt) => row.dueAt === dueAt && wasWoken(row) === isForWoken && isKept(row));
  const [woken, others] = [queueOf(true), queueOf(false)];
  return {
    /** Must be called after each change of `dueAt` or `wake`. */
    add(row: Row): void {
      if (row.dueAt !== null) (wasWoken(row) ? woken : others).add(row, row.dueAt);
    },
    take: (now: number): Row | undefined => woken.take(now) ?? others.take(now),
    takeWoken: woken.take,
  };
}

function measure(rows: readonly Row[], now: number): PaymentMeasures {
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

/** Returns the age of the earliest of these moments. Not `Math.min(...since)`: a call takes only about 100,000 arguments. */
const age = (since: readonly number[], now: number): number | null =>
  since.length === 0 ? null : now - since.reduce((first, one) => Math.min(first, one));
