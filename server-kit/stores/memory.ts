import type { PaymentRecord, Store } from './store.ts';

/**
 * A store for tests and for a first try: everything in it is lost when the process ends, and other processes do
 * not see it.
 */
export function createMemoryStore(): Store {
  const byReference = new Map<string, PaymentRecord>();
  const latestByOrder = new Map<string, PaymentRecord>();

  const put = (record: PaymentRecord): PaymentRecord => {
    const copy = structuredClone(record);
    byReference.set(copy.reference, copy);
    const latest = latestByOrder.get(copy.orderId);
    if (latest === undefined || latest.attempt <= copy.attempt) latestByOrder.set(copy.orderId, copy);
    return structuredClone(copy);
  };

  return {
    async insert(record) {
      const latest = latestByOrder.get(record.orderId);
      const isTaken = latest !== undefined && latest.attempt >= record.attempt;
      if (isTaken || byReference.has(record.reference)) return false;
      put(record);
      return true;
    },
    async update(record) {
      if (byReference.get(record.reference)?.version !== record.version) return undefined;
      return put({ ...record, version: record.version + 1 });
    },
    findByReference: async (reference) => structuredClone(byReference.get(reference)),
    findLatestByOrder: async (orderId) => structuredClone(latestByOrder.get(orderId)),
  };
}
