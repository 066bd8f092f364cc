import * as v from 'valibot';
import { type Endpoint, type ResponseOf, readRecord } from '../../../server-kit/core/endpoints.ts';
import { type Dialect, defaultDialect, describeIssues } from '../../../server-kit/core/options.ts';
import { endpoints, type Operation } from '../../../server-kit/service/endpoints.ts';
import { leastResponses } from './client-kit.ts';

/** Reads the record of a response, which has the least fields and these. A list reads each of its records so. */
export function readResponse<Op extends Operation>(
  operation: Op,
  change: object = {},
  dialect: Dialect = defaultDialect,
): ResponseOf<(typeof endpoints)[Op]> {
  const least = leastResponses[operation];
  const record = 'data' in least ? (least.data as object[])[0] : least;
  const endpoint: Endpoint = endpoints[operation];
  return readRecord({ dialect, liveMode: undefined }, endpoint, { ...record, ...change }) as never;
}

/** Returns the parameters that a schema finds invalid, as dotted paths. */
export function faultsOf(schema: v.GenericSchema, value: unknown): string[] {
  const result = v.safeParse(schema, value);
  return result.success ? [] : describeIssues(result.issues, 'whole').params;
}
