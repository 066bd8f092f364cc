import * as v from 'valibot';
import { describeIssues } from '../../../server-kit/core/options.ts';

/** Returns the parameters that a schema finds invalid, as dotted paths. */
export function faultsOf(schema: v.GenericSchema, value: unknown): string[] {
  const result = v.safeParse(schema, value);
  return result.success ? [] : describeIssues(result.issues, 'whole').params;
}
