import * as v from 'valibot';
import { rejectArrays } from '../../../client/api/fields.ts';
import { describeIssues } from '../../../client/errors/describe-issues.ts';
import { invalidParams } from '../errors/sandbox-error.ts';

/**
 * Parses an input.
 *
 * @param isLenient whether keys that the schema does not have are ignored
 * @throws {SandboxError} 422 `validation_failed` with the dotted path of every invalid parameter
 */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  isLenient = false,
): v.InferOutput<Schema> {
  const result = v.safeParse(isLenient ? dropUnknownKeys(schema) : schema, input);
  if (result.success) return result.output;
  const { params, text } = describeIssues(result.issues, 'body');
  throw invalidParams(params, `Correct the request: ${text}.`);
}

/** The parts of a schema that may contain schemas. */
type Nested = v.GenericSchema & {
  pipe?: readonly [v.GenericSchema, ...v.PipeItem<unknown, unknown, v.BaseIssue<unknown>>[]];
  entries?: v.ObjectEntries;
  wrapped?: v.GenericSchema;
  item?: v.GenericSchema;
  options?: readonly v.GenericSchema[];
};

/** Returns a copy of the schema that drops unknown keys at every depth instead of refusing them. */
function dropUnknownKeys<Schema extends v.GenericSchema>(schema: Schema): Schema;
function dropUnknownKeys(schema: Nested): v.GenericSchema {
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
