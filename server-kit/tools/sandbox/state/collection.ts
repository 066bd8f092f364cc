import { alreadyExists } from '../errors/sandbox-error.ts';
import type { Journal } from './storage.ts';

/** Records of one kind: plain JSON, replaced and never modified. */
export type Collection<T extends { id: string }, Index extends string = never> = {
  /** Adds the record, or replaces the one with its id. */
  put: (record: T) => T;
  remove: (id: string) => void;
  get: (id: string) => T | undefined;
  /** Returns the record with this value of an index that was put last. */
  by: (index: Index, key: string) => T | undefined;
  /** Returns all records with this value of an index, ordered by their last `put`. */
  allBy: (index: Index, key: string) => readonly T[];
  /** Returns all records, newest first. */
  list: () => readonly T[];
  size: () => number;
};

/**
 * @param indexes for each index, its key of a record; the key of a record must not change
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

  function index(record: T): void {
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
      // This code has written the records, so that only their index keys are checked.
      if (record === null) records.delete(id);
      else index(record as T);
    } catch (cause) {
      const message = `The record "${id}" of "${name}" has been changed in the storage; correct it, or remove it.`;
      throw new TypeError(message, { cause });
    }
  }
  return {
    put(record) {
      index(record);
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

/** @throws {SandboxError} 409 `id_exists` */
export function refuseKnownId<T extends { id: string }, Index extends string>(
  id: string,
  collection: Collection<T, Index>,
): void {
  if (collection.get(id) === undefined) return;
  throw alreadyExists('id', `Another record has the id "${id}"; leave it out, and the sandbox creates one.`);
}

/**
 * Adds a record whose id and reference no other record has.
 *
 * @throws {SandboxError} 409 `id_exists`, `reference_exists`
 */
export function addReferenced<T extends { id: string; reference: string }>(
  record: T,
  collection: Collection<T, 'reference'>,
): T {
  refuseKnownId(record.id, collection);
  if (collection.by('reference', record.reference) === undefined) return collection.put(record);
  const message = `Another record has the reference "${record.reference}"; use another one, or leave it out.`;
  throw alreadyExists('reference', message);
}
