import * as v from 'valibot';

type Schema = v.GenericSchema & {
  wrapped?: Schema;
  options?: readonly Schema[];
  entries?: Readonly<Record<string, Schema>>;
  item?: Schema;
};
type Path = readonly (string | number)[];

/** A field that a schema names, at any depth. */
export type SchemaField = { path: Path; isRequired: boolean };

/** Every field of a schema. Of a variant, those of the option that the example is; of an array, those of its first item. */
export function fieldsOf(schema: v.GenericSchema, example: unknown): SchemaField[] {
  const { entries, item } = unwrap(schema, example);
  const within = (key: string | number, inner: Schema): SchemaField[] =>
    fieldsOf(inner, (example as Record<string | number, unknown> | undefined)?.[key]).map((field) => ({
      ...field,
      path: [key, ...field.path],
    }));
  if (item !== undefined) return within(0, item);
  return Object.entries(entries ?? {}).flatMap(([name, entry]) => [
    { path: [name], isRequired: entry.type !== 'optional' && entry.type !== 'nullish' },
    ...within(name, entry),
  ]);
}

function unwrap(schema: Schema, example: unknown): Schema {
  if (schema.wrapped !== undefined) return unwrap(schema.wrapped, example);
  if (schema.type !== 'variant') return schema;
  return schema.options?.find((option) => v.is(option, example)) ?? schema;
}

/** A copy with another value at the path, or with none for `undefined`. */
export function withValue(body: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(body);
  let place = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) place = place[key] as typeof place;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}

/** Returns the dotted paths of fields that the JSON lacks. A field that is null counts as present. */
export function missingFields(schema: v.GenericSchema, json: unknown): string[] {
  const { entries, item } = unwrap(schema, json);
  if (Array.isArray(json) && item !== undefined) {
    return json.flatMap((one, index) => missingFields(item, one).map((path) => `${index}.${path}`));
  }
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(entries ?? {}).flatMap(([name, entry]) => {
    if (!Object.hasOwn(json, name)) return [name];
    const value = (json as Record<string, unknown>)[name];
    return missingFields(entry, value).map((path) => `${name}.${path}`);
  });
}
