import * as v from 'valibot';

/**
 * What a schema found wrong: the fields at fault, and what they must be. Never what they hold, because that may be a
 * secret or a customer's.
 *
 * @param whole what to call the value itself, where no field of it is at fault
 */
export function describeIssues(
  issues: readonly v.BaseIssue<unknown>[],
  whole: string,
): { params: string[]; text: string } {
  const faults = issues.map((issue) => ({
    param: v.getDotPath(issue) ?? whole,
    message: issue.message.replace(/ but received [\s\S]*$/, ''),
  }));
  return {
    params: [...new Set(faults.map(({ param }) => param))],
    text: faults.map(({ param, message }) => `${param}: ${message}`).join('; '),
  };
}
