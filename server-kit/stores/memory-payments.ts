import type { MemoryEffects } from './memory-effects.ts';
import type { DuePayment, PaymentRecord, PaymentStore, StoreMeasures } from './store.ts';

type Row = {
  record: PaymentRecord;
  dueAt: number | null;
  /** Whether a look was asked for with `wake`, and whether somebody has claimed it since. */
  wake: 'none' | 'asked' | 'claimed';
  /** How often it was claimed when it was woken. */
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

/** The payments of the memory store. No method waits for anything, so that each is atomic. */
export function createMemoryPayments(now: () => number, effects: MemoryEffects): MemoryPayments {
  const byReference = new Map<string, Row>();
  const byOrder = new Map<string, Row[]>();

  const attemptsAt = (orderId: string): PaymentRecord[] =>
    (byOrder.get(orderId) ?? [])
      .map(({ record }) => record)
      .sort((left, right) => left.attempt - right.attempt);
  const after = (ms: number | null): number | null => (ms === null ? null : now() + ms);

  const store: PaymentStore = {
    async insert(record, { checkAfterMs }) {
      const isTaken = attemptsAt(record.orderId).some(({ attempt }) => attempt === record.attempt);
      if (isTaken || byReference.has(record.reference)) return false;
      const times = { dueAt: after(checkAfterMs), createdAt: now(), changedAt: now(), confirmingAt: null };
      const row = { record: structuredClone(record), wake: 'none' as const, claims: 0, ...times };
      byReference.set(record.reference, row);
      byOrder.set(record.orderId, [...(byOrder.get(record.orderId) ?? []), row]);
      return true;
    },
    async update(record, { checkAfterMs, effects: outcomes, claim }) {
      const row = byReference.get(record.reference);
      if (row?.record.version !== record.version) return undefined;
      row.record = structuredClone({ ...record, version: record.version + 1 });
      row.changedAt = now();
      row.confirmingAt = record.confirming === undefined ? null : (row.confirmingAt ?? now());
      const isClaimant = row.wake === 'claimed' && row.claims === claim?.number;
      if (row.wake === 'none' || isClaimant) row.dueAt = after(checkAfterMs);
      if (isClaimant && claim?.result === 'answered') row.wake = 'none';
      effects.add(record, outcomes);
      return structuredClone(row.record);
    },
    findByReference: async (reference) => structuredClone(byReference.get(reference)?.record),
    listByOrder: async (orderId) => structuredClone(attemptsAt(orderId)),
    async wake(reference) {
      const row = byReference.get(reference);
      if (row !== undefined) Object.assign(row, { dueAt: now(), wake: 'asked' });
      return row !== undefined;
    },
    claimDue: async (options) => claimDue([...byReference.values()], now(), options),
  };

  return {
    store,
    measure: () => measure([...byReference.values()], now()),
    purge(olderThanMs) {
      const isSettled = ({ record, dueAt, changedAt }: Row): boolean =>
        record.outcome !== 'pending' && dueAt === null && changedAt <= now() - olderThanMs;
      const settled = [...byOrder].filter(
        ([orderId, order]) => order.every(isSettled) && effects.isFinished(orderId),
      );
      for (const [orderId, order] of settled) {
        for (const { record } of order) byReference.delete(record.reference);
        byOrder.delete(orderId);
        effects.forget(orderId);
      }
      return settled.flatMap(([, order]) => order).length;
    },
  };
}

const wasWoken = ({ wake }: Row): boolean => wake !== 'none';

function claimDue(
  rows: readonly Row[],
  now: number,
  { limit, leaseMs, isWoken = false }: Parameters<PaymentStore['claimDue']>[0],
): DuePayment[] {
  return rows
    .filter((row) => !isWoken || wasWoken(row))
    .flatMap((row) => (row.dueAt !== null && row.dueAt <= now ? { row, dueAt: row.dueAt } : []))
    .sort(
      (left, right) => Number(wasWoken(right.row)) - Number(wasWoken(left.row)) || left.dueAt - right.dueAt,
    )
    .slice(0, limit)
    .map(({ row }) => {
      row.dueAt = now + leaseMs;
      if (wasWoken(row)) Object.assign(row, { wake: 'claimed', claims: row.claims + 1 });
      return { record: structuredClone(row.record), claim: wasWoken(row) ? row.claims : null };
    });
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

/** How long ago the first of these moments is. Not by `Math.min(...since)`: a call has room for about 100,000 values. */
const age = (since: readonly number[], now: number): number | null =>
  since.length === 0 ? null : now - since.reduce((first, one) => Math.min(first, one));
