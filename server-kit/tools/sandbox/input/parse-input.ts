import * as v from 'valibot';
import { describeIssues } from '../../../client/errors/describe-issues.ts';
import { invalidParams } from '../errors/sandbox-error.ts';
import { dropUnknownKeys } from './drop-unknown-keys.ts';

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
