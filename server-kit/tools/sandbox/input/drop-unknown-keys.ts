import * as v from 'valibot';
import { rejectArrays } from '../../../client/api/fields.ts';

/** The parts of a schema that may contain schemas. */
type Nested = v.GenericSchema & {
  pipe?: readonly [v.GenericSchema, ...v.PipeItem<unknown, unknown, v.BaseIssue<unknown>>[]];
  entries?: v.ObjectEntries;
  wrapped?: v.GenericSchema;
  item?: v.GenericSchema;
  options?: readonly v.GenericSchema[];
};

/** Returns a copy of the schema that drops unknown keys at every depth instead of refusing them. */
export function dropUnknownKeys<Schema extends v.GenericSchema>(schema: Schema): Schema;
export function dropUnknownKeys(schema: Nested): v.GenericSchema {
  if (schema.pipe !== undefined) {
    const [first, ...rest] = schema.pipe;
    return v.pipe(dropUnknownKeys(first), ...rest);
  }
  const { entries, wrapped, item, options } = schema;
  switch (schema.type) {
    case 'strict_object':
      return rejectArrays(
        v.object(
          Object.fromEntries(
            Object.entries(entries ?? {}).map(([name, field]) => [name, dropUnknownKeys(field as Nested)]),
          ),
        ),
      );
    case 'variant':
      return { ...schema, options: options?.map(dropUnknownKeys) } as Nested;
    case 'array':
      return { ...schema, item: item && dropUnknownKeys(item) } as Nested;
    case 'optional':
    case 'nullish':
      return { ...schema, wrapped: wrapped && dropUnknownKeys(wrapped) } as Nested;
    default:
      return schema;
  }
}
