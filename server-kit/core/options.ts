import * as v from 'valibot';
import { CheckoutError } from '../../src/contract/index.ts';

/** Describes what is wrong, and never quotes a value, which may be a secret. `whole` names the value itself, for issues without a path. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[], whole: string) {
  const faults = issues.map((issue) => ({ param: v.getDotPath(issue), message: messageOf(issue) }));
  const text = faults.map(({ param, message }) => `${param ?? whole}: ${message}`).join('; ');
  return { text, params: [...new Set(faults.flatMap(({ param }) => param ?? []))] };
}

/** Parses a value, or throws the result of `toError`. */
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

/**
 * Parses the options of a function, and fills in their defaults.
 *
 * @param hint added to the message
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong, missing or unknown
 */
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

/** An object that another function or package has created, known by one of its members. */
export const objectWith = <T>(member: string, message: string) =>
  v.custom<T>(
    (value) => (value as Record<string, unknown> | null | undefined)?.[member] !== undefined,
    message,
  );

/** A list, also a readonly one, which valibot's array schema does not accept. */
export const listOf = <Input, Output>(item: v.GenericSchema<Input, Output>, message: string) =>
  v.array(item, message) as unknown as v.GenericSchema<readonly Input[], readonly Output[]>;

export const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.number(),
    v.safeInteger('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

/** The rows that only the sandbox and `transfer-checkout/server-kit/service` read; `createDialect` of the latter checks them. */
const serviceRows = [
  'signedCallbackUrl',
  'callbackEvent',
  'callbackRetries',
  'callbackRetrySeconds',
  'unopenedLink',
  'preferredBanks',
  'listParameters',
] as const;

/** How the service behaves where its interface leaves a choice. Each default is that of the public service. */
export const Dialect = v.strictObject({
  /** The unit of amounts on the wire: `minor` (NGN 100.00 is `10000`) or `major` (`100`). */
  amountUnit: v.optional(v.picklist(['minor', 'major']), 'minor'),
  /** The case of the URL path in the signed text. */
  signedPath: v.optional(v.picklist(['lowerCase', 'exact']), 'lowerCase'),
  /** The body hash of a request without a body: omitted, or the hash of `{}`. */
  bodyHashWithoutBody: v.optional(v.picklist(['omitted', 'emptyObject']), 'omitted'),
  /** The greatest difference between a timestamp and the receiver's clock, in seconds. */
  timestampToleranceSeconds: v.optional(wholeNumber(1, 86_400), 300),
  /** A refused signature counts as clock skew only if the service's `Date` differs by more than this, in seconds. */
  clockSkewThresholdSeconds: v.optional(wholeNumber(1, 86_400), 60),
  /** Whether `chargedAmount` is what the shopper sent (`gross`) or what is left after fees (`net`). */
  chargedAmountBasis: v.optional(v.picklist(['gross', 'net']), 'gross'),
  ...v.entriesFromList(serviceRows, v.optional(v.unknown())),
});
export type Dialect = Readonly<v.InferOutput<typeof Dialect>>;

export const defaultDialect: Dialect = Object.freeze(v.parse(Dialect, {}));
