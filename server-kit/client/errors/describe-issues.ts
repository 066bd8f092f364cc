import * as v from 'valibot';

type Issue = v.BaseIssue<unknown>;

const isUnknownKey = (issue: Issue): boolean => issue.type === 'strict_object' && issue.expected === 'never';

/**
 * Describes validation issues: the fields at fault and what they must be. Never quotes their values, which may be secrets
 * or personal data.
 *
 * @param whole the name of the value itself, for issues without a path; it is not among the params
 */
export function describeIssues(issues: readonly Issue[], whole: string): { params: string[]; text: string } {
  const faults = issues.map((issue) => ({ param: v.getDotPath(issue), message: messageOf(issue) }));
  return {
    params: [...new Set(faults.flatMap(({ param }) => param ?? []))],
    text: faults.map(({ param, message }) => `${param ?? whole}: ${message}`).join('; '),
  };
}

/**
 * Parses a value, or throws the result of `toError`.
 *
 * @param whole as for `describeIssues`
 */
export function parseOrThrow<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  whole: string,
  toError: (text: string, params: string[]) => Error,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const { text, params } = describeIssues(result.issues, whole);
  throw toError(text, params);
}

function messageOf(issue: Issue): string {
  if (isUnknownKey(issue)) return 'is not a known field';
  if (issue.input === undefined) return 'is missing';
  return issue.message.replace(/ but received [\s\S]*$/, '');
}
