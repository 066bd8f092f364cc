import { alreadyExists } from '../errors/sandbox-error.ts';
import type { Journal } from './storage.ts';

/** Records of one kind: plain JSON, replaced and never modified. */
export type Collection<T extends { id: string }> = {
  /** Adds the record, or replaces the one with its id. */
  put: (record: T) => T;
  remove: (id: string) => void;
  get: (id: string) => T | undefined;
  /** Returns the first record that matches. */
  find: (matches: (record: T) => boolean) => T | undefined;
  /** Returns all records, newest first. */
  list: () => readonly T[];
};

export function createCollection<T extends { id: string }>(name: string, journal: Journal): Collection<T> {
  const records = new Map<string, T>();
  for (const [id, record] of journal.load(name)) {
    if (record === null) records.delete(id);
    // This code has written the record.
    else records.set(id, record as T);
  }
  return {
    put(record) {
      records.set(record.id, record);
      journal.write([name, record.id, record]);
      return record;
    },
    remove(id) {
      if (records.delete(id)) journal.write([name, id, null]);
    },
    get: (id) => records.get(id),
    find(matches) {
      for (const record of records.values()) if (matches(record)) return record;
      return undefined;
    },
    list: () => [...records.values()].reverse(),
  };
}

/** @throws {SandboxError} 409 `id_exists` */
export function refuseKnownId<T extends { id: string }>(id: string, collection: Collection<T>): void {
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
  collection: Collection<T>,
): T {
  refuseKnownId(record.id, collection);
  if (collection.find(({ reference }) => reference === record.reference) === undefined)
    return collection.put(record);
  const message = `Another record has the reference "${record.reference}"; use another one, or leave it out.`;
  throw alreadyExists('reference', message);
}
