import * as v from 'valibot';
import { describeIssues } from '../../../core/options.ts';
import { invalidParams } from '../errors.ts';

/** One year; a longer wait is probably in the wrong unit. */
export const maxSeconds = 31_536_000;

const Integer = v.pipe(v.number('must be a number'), v.safeInteger('must be a whole number'));

/** A count, or an amount in minor units, above 0. */
export const WholeNumber = v.pipe(Integer, v.minValue(1, 'must be above 0'));

/** An amount in minor units, 0 or more. */
export const MinorAmount = v.pipe(Integer, v.minValue(0, 'must not be below 0'));

/** A count or a duration from 0 to `most`. */
export const wholeNumberUpTo = (most: number) =>
  v.pipe(MinorAmount, v.maxValue(most, `must be at most ${most}`));

const bounds = 'must be from 0 to 1';
export const Probability = v.pipe(v.number(bounds), v.minValue(0, bounds), v.maxValue(1, bounds));

/** The body `{}` of a control call without input. It is required, because no form of another site can send JSON. */
export const NoInput = v.strictObject({});

/** Parses an input, without unknown keys if lenient. Throws 422 `validation_failed` with the path of every invalid parameter. */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  isLenient = false,
): v.InferOutput<Schema> {
  const result = v.safeParse(isLenient ? dropUnknownKeys(schema) : schema, input);
  if (result.success) return result.output as v.InferOutput<Schema>;
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
function dropUnknownKeys(schema: Nested): v.GenericSchema {
  const { type, pipe, entries = {}, wrapped, item, options } = schema;
  if (pipe !== undefined) {
    const [first, ...rest] = pipe;
    return v.pipe(dropUnknownKeys(first), ...rest);
  }
  if (type === 'strict_object') {
    const fields = Object.entries(entries).map(([name, field]) => [name, dropUnknownKeys(field as Nested)]);
    return v.object(Object.fromEntries(fields));
  }
  return {
    ...schema,
    ...(wrapped && { wrapped: dropUnknownKeys(wrapped) }),
    ...(item && { item: dropUnknownKeys(item) }),
    ...(type === 'variant' && { options: options?.map(dropUnknownKeys) }),
  } as Nested;
}
