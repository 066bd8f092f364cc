import * as v from 'valibot';
import { parseOptions } from '../options/parse-options.ts';

const freeze = <T extends object>(value: T): Readonly<T> => Object.freeze(value);

const Name = v.pipe(v.string(), v.minLength(1));
/** Cast, because valibot's array schema does not accept readonly arrays. */
const Names = v.pipe(v.array(Name), v.minLength(1), v.transform(freeze)) as v.GenericSchema<
  readonly string[]
>;
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** The names of a list's query parameters, which are not published (interface, sections 4.2, 4.9 and 4.11). */
const ParameterNames = v.strictObject({
  limit: v.optional(Name, 'limit'),
  cursor: v.optional(Name, 'cursor'),
  /** May be repeated. */
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
 * Everything that the service's interface leaves open. The client, the sandbox, the callbacks and the checkout all read it
 * from here. The defaults match the public service.
 */
export const Dialect = v.strictObject({
  /** The unit of amounts on the wire: `minor` (NGN 100.00 is `10000`) or `major` (`100`). */
  amountUnit: v.optional(v.picklist(['minor', 'major']), 'minor'),
  /** The case of the URL path in the signed text. */
  signedPath: v.optional(v.picklist(['lowerCase', 'exact']), 'lowerCase'),
  /** The body hash of a request without a body: omitted, or the hash of `{}`. */
  bodyHashWithoutBody: v.optional(v.picklist(['omitted', 'emptyObject']), 'omitted'),
  /** The greatest difference between a timestamp and the receiver's clock, in seconds. */
  timestampToleranceSeconds: v.optional(Seconds, 300),
  /** A refused signature counts as clock skew only if the service's `Date` differs by more than this, in seconds. */
  clockSkewThresholdSeconds: v.optional(Seconds, 60),
  /** Whether `chargedAmount` is what the shopper sent (`gross`) or what is left after fees (`net`). */
  chargedAmountBasis: v.optional(v.picklist(['gross', 'net']), 'gross'),
  /** The case of the callback URL that `signCallback` signs. Verification accepts both. */
  signedCallbackUrl: v.optional(v.picklist(['exact', 'lowerCase']), 'exact'),
  /**
   * The name of a callback's event. `{record}` is the kind of record, such as `payment` or `payout`; `{status}` is its new
   * status.
   */
  callbackEvent: v.optional(
    v.pipe(
      v.string(),
      v.includes('{record}', 'must contain {record}'),
      v.includes('{status}', 'must contain {status}'),
    ),
    '{record}.{status}',
  ),
  /** How many times a callback without a 2xx response is sent again. */
  callbackRetries: v.optional(Count, 3),
  /** The time between two attempts, in seconds. */
  callbackRetrySeconds: v.optional(Seconds, 60),
  /** How verify responds for a checkout link that nobody has opened: 404, or a payment that is `initiated`. */
  unopenedLink: v.optional(v.picklist(['notFound', 'initiated']), 'notFound'),
  /** The banks that a dedicated account may be requested at; the first is a microfinance bank. */
  preferredBanks: v.optional(Names, () => ['sandbox_mfb', 'sandbox_bank', 'sandbox_trust']),
  listParameters: v.optional(ListParameters, {}),
});
export type Dialect = v.InferOutput<typeof Dialect>;
/** Some fields of the dialect; the others have their defaults. */
export type DialectChoices = v.InferInput<typeof Dialect>;

/**
 * Creates a dialect, with defaults for the fields that are not given.
 *
 * @throws {CheckoutError} `invalid_options`, naming unknown fields and invalid values
 */
export function createDialect(choices: DialectChoices = {}): Readonly<Dialect> {
  return freeze(parseOptions(Dialect, choices, 'the dialect'));
}

export const defaultDialect: Readonly<Dialect> = createDialect();
