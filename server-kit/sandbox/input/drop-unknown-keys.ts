import * as v from 'valibot';
import { refuseLists } from '../../api/fields.ts';

/** The parts of a schema that may hold further schemas. */
type Nested = v.GenericSchema & {
  pipe?: readonly [v.GenericSchema, ...v.PipeItem<unknown, unknown, v.BaseIssue<unknown>>[]];
  entries?: v.ObjectEntries;
  wrapped?: v.GenericSchema;
  item?: v.GenericSchema;
  options?: readonly v.GenericSchema[];
};

/** The same schema, but keys that it does not have are dropped at every depth, where it would refuse them. */
export function passOverUnknownKeys<Schema extends v.GenericSchema>(schema: Schema): Schema;
export function passOverUnknownKeys(schema: Nested): v.GenericSchema {
  if (schema.pipe !== undefined) {
    const [first, ...rest] = schema.pipe;
    return v.pipe(passOverUnknownKeys(first), ...rest);
  }
  const { entries, wrapped, item, options } = schema;
  switch (schema.type) {
    case 'strict_object':
      return refuseLists(
        v.object(
          Object.fromEntries(
            Object.entries(entries ?? {}).map(([name, field]) => [
              name,
              passOverUnknownKeys(field as Nested),
            ]),
          ),
        ),
      );
    case 'variant':
      return { ...schema, options: options?.map(passOverUnknownKeys) } as Nested;
    case 'array':
      return { ...schema, item: item && passOverUnknownKeys(item) } as Nested;
    case 'optional':
    case 'nullish':
      return { ...schema, wrapped: wrapped && passOverUnknownKeys(wrapped) } as Nested;
    default:
      return schema;
  }
}
