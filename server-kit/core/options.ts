import * as v from 'valibot';
import { CheckoutError } from '../../src/contract/index.ts';

/** Describes each fault without quoting the value, which may be a secret. `whole` names the value itself, for faults without a path. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[], whole: string) {
  const faults = issues.map((issue) => ({ param: v.getDotPath(issue), message: messageOf(issue) }));
  const text = faults.map(({ param, message }) => `${param ?? whole}: ${message}`).join('; ');
  return { text, params: [...new Set(faults.flatMap(({ param }) => param ?? []))] };
}

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

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'is not a known field';
  return issue.input === undefined ? 'is missing' : issue.message.replace(/ but received [\s\S]*$/, '');
}

/** Parses the options of a function. Throws `invalid_options`, naming each option that is wrong, missing or unknown. */
export const parseOptions = <Schema extends v.GenericSchema>(
  schema: Schema,
  options: unknown,
  functionName: string,
  hint = '',
): v.InferOutput<Schema> =>
  parseOrThrow(schema, options, 'options', (text) => {
    return new CheckoutError('invalid_options', `Invalid options for ${functionName}. ${text}.${hint}`);
  });

/** @param hint added to the message, such as ` that returns the order to pay` */
export const aFunction = <T>(hint = '') =>
  v.custom<T>((value) => typeof value === 'function', `must be a function${hint}`);

/** An object that another function or package created, recognised by one of its members. */
export const objectWith = <T>(member: string, message: string) =>
  v.custom<T>((value) => (value as Record<string, unknown> | null)?.[member] !== undefined, message);

/** A list, readonly or not: valibot's array schema accepts no readonly one. */
export const listOf = <Input, Output>(item: v.GenericSchema<Input, Output>, message: string) =>
  v.array(item, message) as unknown as v.GenericSchema<readonly Input[], readonly Output[]>;

export const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.number(),
    v.safeInteger('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

/** How the service behaves where its interface leaves a choice; `createDialect` of `transfer-checkout/server-kit/service` makes one. */
export type Dialect = {
  readonly signedPath: 'lowerCase' | 'exact';
  readonly bodyHashWithoutBody: 'omitted' | 'emptyObject';
  readonly timestampToleranceSeconds: number;
  readonly clockSkewThresholdSeconds: number;
  /** Converts the named amounts of a request to the service's unit. Throws a `RangeError` for one that does not fit. */
  readonly toWire: (body: unknown, amounts: readonly string[]) => unknown;
  /** Converts the named amounts of a record to minor units, before fees. An unreadable amount becomes `NaN`. */
  readonly fromWire: (record: unknown, amounts: readonly string[]) => unknown;
};

export const defaultDialect: Dialect = Object.freeze({
  signedPath: 'lowerCase',
  bodyHashWithoutBody: 'omitted',
  timestampToleranceSeconds: 300,
  clockSkewThresholdSeconds: 60,
  toWire: (body: unknown) => body,
  fromWire: (record: unknown) => record,
});
