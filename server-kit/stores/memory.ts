import { type Effect, effectKey, type NewEffect, withdrawnByPaid } from './effect.ts';
import type { PaymentRecord, Store } from './store.ts';

type Row = { record: PaymentRecord; dueAt: number | null; wasWoken: boolean };
type EffectRow = Effect & { dueAt: number };

/**
 * A store for tests and for a first try: everything in it is lost when the process ends, and other processes do
 * not see it.
 *
 * @param now the store's clock, in milliseconds
 */
export function createMemoryStore({ now = Date.now }: { now?: () => number } = {}): Store {
  const rows = new Map<string, Row>();
  const referencesByOrder = new Map<string, string[]>();
  const effects = createMemoryEffects(now);
  let permits = { second: 0, taken: 0 };

  const attemptsAt = (orderId: string): PaymentRecord[] =>
    (referencesByOrder.get(orderId) ?? [])
      .flatMap((reference) => rows.get(reference)?.record ?? [])
      .sort((left, right) => left.attempt - right.attempt);
  const dueAt = (checkAfterMs: number | null) => (checkAfterMs === null ? null : now() + checkAfterMs);

  return {
    isVolatile: true,
    migrate: async () => {},
    close: async () => {},
    async insert(record, { checkAfterMs }) {
      const attempts = attemptsAt(record.orderId);
      if (attempts.some(({ attempt }) => attempt === record.attempt) || rows.has(record.reference)) return false;
      rows.set(record.reference, {
        record: structuredClone(record),
        dueAt: dueAt(checkAfterMs),
        wasWoken: false,
      });
      referencesByOrder.set(record.orderId, [
        ...attempts.map(({ reference }) => reference),
        record.reference,
      ]);
      return true;
    },
    async update(record, { checkAfterMs, effects: news }) {
      if (rows.get(record.reference)?.record.version !== record.version) return undefined;
      const stored = structuredClone({ ...record, version: record.version + 1 });
      rows.set(record.reference, { record: stored, dueAt: dueAt(checkAfterMs), wasWoken: false });
      for (const effect of news) effects.add(effect);
      return structuredClone(stored);
    },
    findByReference: async (reference) => structuredClone(rows.get(reference)?.record),
    listByOrder: async (orderId) => structuredClone(attemptsAt(orderId)),
    async wake(reference) {
      const row = rows.get(reference);
      if (row === undefined) return false;
      row.dueAt = now();
      row.wasWoken = true;
      return true;
    },
    async claimDue({ limit, leaseMs }) {
      const due = [...rows.values()]
        .filter((row) => row.dueAt !== null && row.dueAt <= now())
        .sort((left, right) => Number(right.wasWoken) - Number(left.wasWoken) || (left.dueAt ?? 0) - (right.dueAt ?? 0))
        .slice(0, limit);
      return due.map((row) => {
        const claimed = structuredClone({ record: row.record, wasWoken: row.wasWoken });
        row.dueAt = now() + leaseMs;
        return claimed;
      });
    },
    async takePermit(perSecond) {
      const second = Math.floor(now() / 1000);
      if (permits.second !== second) permits = { second, taken: 0 };
      if (permits.taken >= perSecond) return false;
      permits.taken++;
      return true;
    },
    ...effects.store,
    measure: async () => {
      const unpaid = [...rows.values()].filter(({ record }) => record.outcome === 'pending');
      const created = unpaid.map(({ record }) => Date.parse(record.createdAt));
      const due = [...rows.values()].flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));
      return {
        oldestUnpaidMs: created.length === 0 ? null : now() - Math.min(...created),
        checkLagMs: Math.max(0, ...due.map((at) => now() - at)),
        ...effects.measure(),
      };
    },
    async purge() {
      return 0;
    },
  };
}
