import type { PaymentRecord, Store } from './store.ts';

/**
 * A store for tests and for a first try: everything in it is lost when the process ends, and other processes do
 * not see it.
 */
export function createMemoryStore(): Store {
  const byReference = new Map<string, PaymentRecord>();
  const referencesByOrder = new Map<string, string[]>();

  const attemptsAt = (orderId: string): PaymentRecord[] =>
    (referencesByOrder.get(orderId) ?? [])
      .flatMap((reference) => byReference.get(reference) ?? [])
      .sort((left, right) => left.attempt - right.attempt);

  return {
    async insert(record) {
      const attempts = attemptsAt(record.orderId);
      const isTaken =
        attempts.some(({ attempt }) => attempt === record.attempt) || byReference.has(record.reference);
      if (isTaken) return false;
      byReference.set(record.reference, structuredClone(record));
      referencesByOrder.set(record.orderId, [
        ...attempts.map(({ reference }) => reference),
        record.reference,
      ]);
      return true;
    },
    async update(record) {
      if (byReference.get(record.reference)?.version !== record.version) return undefined;
      const stored = structuredClone({ ...record, version: record.version + 1 });
      byReference.set(record.reference, stored);
      return structuredClone(stored);
    },
    findByReference: async (reference) => structuredClone(byReference.get(reference)),
    listByOrder: async (orderId) => structuredClone(attemptsAt(orderId)),
  };
}
