import * as v from 'valibot';
import { exactObject, Identifier, WireAmount, WireFee } from '../../api/fields.ts';
import { invalidParams } from '../errors/sandbox-error.ts';
import { MinorAmount } from './fields.ts';

/** A record as it is kept and answered: it has every field, and those of `NonNull` are never null. */
export type RecordOf<Fields extends v.ObjectEntries, NonNull extends keyof Fields = never> = {
  id: string;
} & {
  [Name in keyof Fields]: v.InferOutput<Fields[Name]> | (Name extends NonNull ? never : null);
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
  const entries = { id: v.nullish(Identifier), ...seedEntries(fields), liveMode: v.nullish(NotLive), ...own };
  return exactObject(entries) as v.GenericSchema as v.GenericSchema<SeedInput<Fields, Own>>;
}

const NotLive = v.literal(false, 'must be false: nothing in a sandbox is live');

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
  if (field === WireAmount || field === WireFee) return MinorAmount;
  // A part of a record forgives what an answer holds.
  return 'fields' in field ? exactObject(seedEntries(field.fields as v.ObjectEntries)) : field;
}

/** A copy of the record with what is given in place of what it has. Null and undefined give nothing. */
export function overlay<T extends object>(record: T, given: object): T {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return { ...record, ...Object.fromEntries(changes) };
}

/**
 * Refuses what only a record of another status can have.
 *
 * @param owners of such fields, the status that has it
 * @throws {SandboxError} 422 `validation_failed`
 */
export function refuseFieldsOfOtherStatuses(
  seed: object,
  status: string,
  owners: Readonly<Record<string, string>>,
): void {
  const given = new Map<string, unknown>(Object.entries(seed));
  const faults = Object.entries(owners).filter(
    ([name, owner]) => owner !== status && (given.get(name) ?? null) !== null,
  );
  if (faults.length === 0) return;
  const text = faults.map(([name, owner]) => `${name}: only one that is ${owner} has it`).join('; ');
  throw invalidParams(
    faults.map(([name]) => name),
    `Correct the request: ${text}.`,
  );
}
