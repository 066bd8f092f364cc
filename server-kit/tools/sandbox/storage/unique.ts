import { alreadyExists } from '../errors/sandbox-error.ts';
import type { Collection } from './collection.ts';

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
