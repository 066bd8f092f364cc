import * as v from 'valibot';
import { CheckoutError } from '../../src/contract/index.ts';
import { describeIssues } from '../errors/describe-issues.ts';

const freeze = <T extends object>(value: T): Readonly<T> => Object.freeze(value);

const Name = v.pipe(v.string(), v.minLength(1));
/** A schema of arrays refuses a readonly one by its type alone. */
const Names = v.pipe(v.array(Name), v.minLength(1), v.transform(freeze)) as v.GenericSchema<
  readonly string[]
>;
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** The names of the query parameters of a list (interface, sections 4.2, 4.9 and 4.11, shows none of them). */
const ParameterNames = v.strictObject({
  limit: v.optional(Name, 'limit'),
  cursor: v.optional(Name, 'cursor'),
  /** Repeatable. */
  status: v.optional(Name, 'status'),
  taxType: v.optional(Name, 'taxType'),
  createdAtGte: v.optional(Name, 'createdAt.gte'),
  createdAtLte: v.optional(Name, 'createdAt.lte'),
  createdAtGt: v.optional(Name, 'createdAt.gt'),
  createdAtLt: v.optional(Name, 'createdAt.lt'),
});
const ListParameters = v.pipe(
  ParameterNames,
  v.check(
    (names) => new Set(Object.values(names)).size === Object.keys(names).length,
    'must differ from each other',
  ),
  v.transform(freeze),
);

/**
 * Every choice that the service's interface leaves open, in one place. The client, the sandbox, the callbacks and
 * the checkout read it; nothing of it is repeated elsewhere. The defaults are how the public service behaves.
 */
export const Dialect = v.strictObject({
  /** The unit of amounts on the wire: `minor` (NGN 100.00 is `10000`) or `major` (`100`). */
  amountUnit: v.optional(v.picklist(['minor', 'major']), 'minor'),
  /** The form of the URL path in the text that is signed. */
  signedPath: v.optional(v.picklist(['lowerCase', 'exact']), 'lowerCase'),
  /** The body hash of a request without body: left out, or the hash of `{}`. */
  bodyHashWithoutBody: v.optional(v.picklist(['omitted', 'emptyObject']), 'omitted'),
  /** How far a timestamp may lie from the receiver's clock, either way, in seconds. */
  timestampToleranceSeconds: v.optional(Seconds, 300),
  /** A refusal counts as clock skew only when the service's `Date` is further off than this, in seconds. */
  clockSkewThresholdSeconds: v.optional(Seconds, 60),
  /** Whether `chargedAmount` is what the shopper sent (`gross`), or what is left of it after fees (`net`). */
  chargedAmountBasis: v.optional(v.picklist(['gross', 'net']), 'gross'),
  /** The form of the callback URL that `signCallback` signs. Verifying accepts both. */
  signedCallbackUrl: v.optional(v.picklist(['exact', 'lowerCase']), 'exact'),
  /** The name of a callback's event; `{record}` is `payment`, `payout` and the like, `{status}` its new status. */
  callbackEvent: v.optional(
    v.pipe(
      v.string(),
      v.includes('{record}', 'must hold {record}'),
      v.includes('{status}', 'must hold {status}'),
    ),
    '{record}.{status}',
  ),
  /** How often a callback that was not answered with 2xx is sent again. */
  callbackRetries: v.optional(Count, 3),
  /** How long after the attempt before it is sent again, in seconds. */
  callbackRetrySeconds: v.optional(Seconds, 60),
  /** The identifiers of banks that a dedicated account may be asked for; the first is a microfinance bank. */
  preferredBanks: v.optional(Names, () => ['sandbox_mfb', 'sandbox_bank', 'sandbox_trust']),
  listParameters: v.optional(ListParameters, {}),
});
export type Dialect = v.InferOutput<typeof Dialect>;
/** Some of the choices; the rest have their defaults. */
export type DialectChoices = v.InferInput<typeof Dialect>;

/**
 * Fills the fields that are not given with the defaults.
 *
 * @throws {TypeError} naming the fields that do not exist or hold what they cannot
 */
export function createDialect(choices: DialectChoices = {}): Readonly<Dialect> {
  const result = v.safeParse(Dialect, choices);
  if (result.success) return freeze(result.output);
  throw new TypeError(`The dialect is wrong. ${describeIssues(result.issues, 'dialect').text}.`);
}

export const defaultDialect: Readonly<Dialect> = createDialect();

/**
 * The client's dialect with the checkout's own choices. Only how `chargedAmount` is read is the checkout's to choose;
 * all else is decided where requests are made.
 *
 * @throws {CheckoutError} `invalid_options` for a choice that contradicts the client's
 */
export function combineDialects(
  client: Readonly<Dialect>,
  choices: Partial<Dialect> = {},
): Readonly<Dialect> {
  const { chargedAmountBasis, ...others } = choices;
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && value !== client[name as keyof Dialect]) {
      const message = `dialect.${name} is "${client[name as keyof Dialect]}" in the payments client; set it there.`;
      throw new CheckoutError('invalid_options', message);
    }
  }
  return createDialect({ ...client, ...(chargedAmountBasis && { chargedAmountBasis }) });
}
