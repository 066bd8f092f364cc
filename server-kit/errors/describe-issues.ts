import * as v from 'valibot';

type Issue = v.BaseIssue<unknown>;

/** Whether the fault is a key that the schema does not have. */
const isUnknownKey = (issue: Issue): boolean => issue.type === 'strict_object' && issue.expected === 'never';

/**
 * What a schema found wrong: the fields at fault, and what they must be. Never what they hold, because that may be a
 * secret or a customer's.
 *
 * @param whole what to call the value itself in the text, where no field of it is at fault; it is none of the params
 */
export function describeIssues(issues: readonly Issue[], whole: string): { params: string[]; text: string } {
  const faults = issues.map((issue) => ({ param: v.getDotPath(issue), message: messageOf(issue) }));
  return {
    params: [...new Set(faults.flatMap(({ param }) => param ?? []))],
    text: faults.map(({ param, message }) => `${param ?? whole}: ${message}`).join('; '),
  };
}

function messageOf(issue: Issue): string {
  if (isUnknownKey(issue)) return 'is not a field here';
  if (issue.input === undefined) return 'is missing';
  return issue.message.replace(/ but received [\s\S]*$/, '');
}
