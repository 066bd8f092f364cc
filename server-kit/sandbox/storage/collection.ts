import type { Journal } from './journal.ts';

/** The records of one kind. They are plain JSON and are never changed, only replaced. */
export type Collection<T extends { id: string }, Index extends string = never> = {
  /** Adds the record, or replaces the one with its id. */
  put: (record: T) => T;
  remove: (id: string) => void;
  get: (id: string) => T | undefined;
  /** The record that was put last with this value of an index. */
  by: (index: Index, key: string) => T | undefined;
  /** All records with this value of an index, in the order in which they were put last. */
  allBy: (index: Index, key: string) => readonly T[];
  /** Newest first. */
  list: () => readonly T[];
  size: () => number;
};

/**
 * @param indexes for each index, what a record is found by; it must not change while the record lives
 */
export function createCollection<T extends { id: string }, Index extends string = never>(
  name: string,
  journal: Journal,
  indexes: Readonly<Record<Index, (record: T) => string>> = {} as Record<Index, never>,
): Collection<T, Index> {
  const records = new Map<string, T>();
  const ids = new Map<string, Map<string, Set<string>>>(
    Object.keys(indexes).map((index) => [index, new Map()]),
  );

  function keep(record: T): void {
    records.set(record.id, record);
    for (const [index, keyOf] of Object.entries(indexes) as [Index, (record: T) => string][]) {
      const key = keyOf(record);
      const found = ids.get(index)?.get(key) ?? new Set();
      found.delete(record.id);
      ids.get(index)?.set(key, found.add(record.id));
    }
  }

  const allBy = (index: Index, key: string): T[] =>
    [...(ids.get(index)?.get(key) ?? [])].flatMap((id) => records.get(id) ?? []);

  for (const [id, record] of journal.load(name)) {
    try {
      // What was kept is what this code has written, so that it is checked no further than its indexes need.
      if (record === null) records.delete(id);
      else keep(record as T);
    } catch (cause) {
      const message = `The record "${id}" of "${name}" is not as it was kept; correct it in the storage, or remove it.`;
      throw new TypeError(message, { cause });
    }
  }
  return {
    put(record) {
      keep(record);
      journal.write([name, record.id, record]);
      return record;
    },
    remove(id) {
      if (records.delete(id)) journal.write([name, id, null]);
    },
    get: (id) => records.get(id),
    by: (index, key) => allBy(index, key).at(-1),
    allBy,
    list: () => [...records.values()].reverse(),
    size: () => records.size,
  };
}
