import { createDueQueue } from './due-queue.ts';
import type { MemoryOutbox } from './memory-outbox.ts';
import type { PaymentRecord } from './payment-record.ts';
import {
  claimPayment,
  countLate,
  createPaymentRow,
  findOldestUnpaid,
  isPurgeable,
  isWoken,
  measurePayments,
  type PaymentMeasures,
  type PaymentRow,
  updatePaymentRow,
  wakePayment,
} from './payment-row.ts';
import type { DuePayment, PaymentStore } from './store.ts';

export type MemoryPayments = {
  store: PaymentStore;
  measure: () => PaymentMeasures;
  findOldestUnpaid: () => PaymentRecord | undefined;
  countLate: () => number;
  purge: (olderThanMs: number) => number;
};

/** Creates the payments of the memory store. No method awaits anything, so each is atomic. */
export function createMemoryPayments(now: () => number, outbox: MemoryOutbox): MemoryPayments {
  const byReference = new Map<string, PaymentRow>();
  const byOrder = new Map<string, PaymentRow[]>();

  const paymentsOf = (orderId: string): PaymentRecord[] =>
    (byOrder.get(orderId) ?? [])
      .map(({ record }) => record)
      .sort((left, right) => left.attempt - right.attempt);
  const schedule = createSchedule((row) => byReference.get(row.record.reference) === row);

  const store: PaymentStore = {
    async insert(record, change) {
      const isTaken = paymentsOf(record.orderId).some(({ attempt }) => attempt === record.attempt);
      if (isTaken || byReference.has(record.reference)) return false;
      const row = createPaymentRow(record, change, now());
      byReference.set(record.reference, row);
      schedule.add(row);
      byOrder.set(record.orderId, [...(byOrder.get(record.orderId) ?? []), row]);
      return true;
    },
    async update(record, change) {
      const row = byReference.get(record.reference);
      if (row?.record.version !== record.version) return undefined;
      updatePaymentRow(row, record, change, now());
      schedule.add(row);
      outbox.add(record, change.outcomes);
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
      wakePayment(row, now());
      schedule.add(row);
      return true;
    },
    claimDue: async (options) => claimDue(schedule, now(), options),
  };

  return {
    store,
    measure: () => measurePayments([...byReference.values()], now()),
    findOldestUnpaid: () => structuredClone(findOldestUnpaid([...byReference.values()])),
    countLate: () => countLate([...byReference.values()]),
    purge(olderThanMs) {
      const purged = [...byOrder].filter(
        ([orderId, order]) =>
          order.every((row) => isPurgeable(row, olderThanMs, now())) && outbox.isFinished(orderId),
      );
      for (const [orderId, order] of purged) {
        for (const { record } of order) byReference.delete(record.reference);
        byOrder.delete(orderId);
        outbox.forget(orderId);
      }
      return purged.flatMap(([, order]) => order).length;
    },
  };
}

function claimDue(
  schedule: Schedule,
  now: number,
  { limit, leaseMs, isWoken = false }: Parameters<PaymentStore['claimDue']>[0],
): DuePayment[] {
  const take = isWoken ? schedule.takeWoken : schedule.take;
  const due: PaymentRow[] = [];
  for (let row = take(now); row !== undefined; row = take(now)) {
    due.push(row);
    // Makes another entry of the same time out of date.
    row.dueAt = null;
    if (due.length === limit) break;
  }
  return due.map((row) => {
    const claimed = claimPayment(row, leaseMs, now);
    schedule.add(row);
    return structuredClone(claimed);
  });
}

type Schedule = ReturnType<typeof createSchedule>;

/** Creates the schedule of verifications: payments that were woken come first. */
function createSchedule(isKept: (row: PaymentRow) => boolean) {
  const queueOf = (isForWoken: boolean) =>
    createDueQueue<PaymentRow>(
      (row, dueAt) => row.dueAt === dueAt && isWoken(row) === isForWoken && isKept(row),
    );
  const [woken, others] = [queueOf(true), queueOf(false)];
  return {
    /** Must be called after each change of `dueAt` or `wake`. */
    add(row: PaymentRow): void {
      if (row.dueAt !== null) (isWoken(row) ? woken : others).add(row, row.dueAt);
    },
    take: (now: number): PaymentRow | undefined => woken.take(now) ?? others.take(now),
    takeWoken: woken.take,
  };
}
