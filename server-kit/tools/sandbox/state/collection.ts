import { alreadyExists } from '../errors.ts';
import type { Writer } from './storage.ts';

export type Collection<T extends { id: string }> = ReturnType<typeof createCollection<T>>;

/** Creates the records of one kind: plain JSON, replaced and never modified. */
export function createCollection<T extends { id: string }>(name: string, { entries, write }: Writer) {
  const records = new Map<string, T>();
  for (const [collection, id, record] of entries) {
    if (collection !== name) continue;
    if (record === null) records.delete(id);
    // This code has written the record.
    else records.set(id, record as T);
  }
  return {
    /** Adds the record, or replaces the one with its id. */
    put(record: T): T {
      records.set(record.id, record);
      write([name, record.id, record]);
      return record;
    },
    remove(id: string): void {
      if (records.delete(id)) write([name, id, null]);
    },
    get: (id: string): T | undefined => records.get(id),
    find(matches: (record: T) => boolean): T | undefined {
      for (const record of records.values()) if (matches(record)) return record;
      return undefined;
    },
    /** Returns all records, newest first. */
    list: (): readonly T[] => [...records.values()].reverse(),
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
