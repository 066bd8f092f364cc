import * as v from 'valibot';
import { Identifier, WireAmount } from '../../../core/fields.ts';
import { WireFee } from '../../../service/fields.ts';
import { MinorAmount } from './fields.ts';

/** A record as stored and returned: it has every field, and those of `NonNull` are never null. */
export type RecordOf<Fields extends v.ObjectEntries, NonNull extends keyof Fields = never> = {
  id: string;
} & {
  [Name in keyof Fields]: v.InferOutput<Fields[Name]> | (Name extends NonNull ? never : null);
};

/** The input that creates a record: any of its fields. The sandbox fills in fields that are missing or null. */
type SeedOf<Fields extends v.ObjectEntries> = {
  [Name in keyof Fields]?: v.InferOutput<Fields[Name]> | null | undefined;
} & { id?: string | null | undefined };

/** Creates the schema of a seed, as strict as requests. `own` are the fields with stricter rules than in a response. */
export function createSeedSchema<Fields extends v.ObjectEntries, const Own extends v.ObjectEntries>(
  fields: Fields,
  own: Own,
): v.GenericSchema<SeedInput<Fields, Own>> {
  const entries = { id: v.nullish(Identifier), ...seedEntries(fields), liveMode: v.nullish(NotLive), ...own };
  return v.strictObject(entries) as v.GenericSchema as v.GenericSchema<SeedInput<Fields, Own>>;
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
  // The fields of a response allow unknown keys; a seed does not.
  return 'fields' in field ? v.strictObject(seedEntries(field.fields as v.ObjectEntries)) : field;
}

/** Returns a copy of the record with the given values, except null and undefined. */
export function overlay<T extends object>(record: T, given: object): T {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return { ...record, ...Object.fromEntries(changes) };
}
