import * as v from 'valibot';
import { Identifier, WireAmount } from '../api/fields.ts';
import type { Collection } from './collection.ts';
import { MinorAmount } from './fields.ts';
import { alreadyExists } from './http/sandbox-error.ts';

/** A record as it is kept and answered: it has every field, and those of `Always` are never null. */
export type RecordOf<Fields extends v.ObjectEntries, Always extends keyof Fields = never> = { id: string } & {
  [Name in keyof Fields]: v.InferOutput<Fields[Name]> | (Name extends Always ? never : null);
};

/** What a control call takes to make a record: any of its fields. What is left out or null, the sandbox fills in. */
export type SeedOf<Fields extends v.ObjectEntries> = {
  [Name in keyof Fields]?: v.InferOutput<Fields[Name]> | null | undefined;
} & { id?: string | null | undefined };

/**
 * The schema of a seed, made from the fields of the record. It is as strict as requests are, and has amounts in minor units.
 *
 * @param own fields of which a seed asks more than an answer does
 */
export function createSeedSchema<Fields extends v.ObjectEntries, const Own extends v.ObjectEntries>(
  fields: Fields,
  own: Own,
): v.GenericSchema<SeedInput<Fields, Own>> {
  const entries = { id: v.nullish(Identifier), ...seedEntries(fields), ...own };
  return v.strictObject(entries) as v.GenericSchema as v.GenericSchema<SeedInput<Fields, Own>>;
}

type SeedInput<Fields extends v.ObjectEntries, Own extends v.ObjectEntries> = Omit<
  SeedOf<Fields>,
  keyof Own
> &
  v.InferInput<v.StrictObjectSchema<Own, undefined>>;

function seedEntries(fields: v.ObjectEntries): v.ObjectEntries {
  const entries = Object.entries(fields).map(([name, field]) => [name, v.nullish(seedField(field))]);
  return Object.fromEntries(entries);
}

function seedField(field: v.ObjectEntries[string]): v.ObjectEntries[string] {
  if (field === WireAmount) return MinorAmount;
  // A part of a record forgives what an answer holds.
  return 'fields' in field ? v.strictObject(seedEntries(field.fields as v.ObjectEntries)) : field;
}

/** A copy of the record with what is given in place of what it has. Null and undefined give nothing. */
export function overlay<T extends object>(record: T, given: object): T {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return { ...record, ...Object.fromEntries(changes) };
}

/** @throws {SandboxError} 409 `id_exists` */
export function refuseKnownId<T extends { id: string }, Index extends string>(
  id: string,
  collection: Collection<T, Index>,
): void {
  if (collection.get(id) === undefined) return;
  throw alreadyExists('id', `Another record has the id "${id}"; leave it out, and the sandbox makes one.`);
}

/** @throws {SandboxError} 409 `reference_exists` */
export function refuseKnownReference<T extends { id: string }>(
  reference: string,
  collection: Collection<T, 'reference'>,
): void {
  if (collection.by('reference', reference) === undefined) return;
  const message = `Another record has the reference "${reference}"; use another one, or leave it out.`;
  throw alreadyExists('reference', message);
}
