import * as v from 'valibot';
import { type Dialect, listOf, parseOptions, wholeNumber } from '../core/options.ts';
import { createAmounts } from './amounts.ts';

const Name = v.pipe(v.string(), v.minLength(1));

/** The names of a list's query parameters, which are not published (interface, sections 4.2, 4.9 and 4.11). */
const ListParameters = v.pipe(
  v.strictObject({
    limit: v.optional(Name, 'limit'),
    cursor: v.optional(Name, 'cursor'),
    /** May be repeated. */
    status: v.optional(Name, 'status'),
    taxType: v.optional(Name, 'taxType'),
    createdAtGte: v.optional(Name, 'createdAt.gte'),
    createdAtLte: v.optional(Name, 'createdAt.lte'),
    createdAtGt: v.optional(Name, 'createdAt.gt'),
    createdAtLt: v.optional(Name, 'createdAt.lt'),
  }),
  v.check(
    (names) => new Set(Object.values(names)).size === Object.keys(names).length,
    'must differ from each other',
  ),
);
export type ListParameters = v.InferOutput<typeof ListParameters>;

/** The whole dialect: what the client reads, and what only lists, callbacks and the sandbox need. */
export const ServiceDialect = v.strictObject({
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
  callbackRetries: v.optional(wholeNumber(0, 1_000_000), 3),
  /** The time between two attempts, in seconds. */
  callbackRetrySeconds: v.optional(wholeNumber(1, 31_536_000), 60),
  /** How verify responds for a checkout link that nobody has opened: 404, or a payment that is `initiated`. */
  unopenedLink: v.optional(v.picklist(['notFound', 'initiated']), 'notFound'),
  /** The banks that a dedicated account may be requested at; the first is a microfinance bank. */
  preferredBanks: v.optional(
    v.pipe(
      listOf(Name, 'must be a list'),
      v.check((names) => names.length > 0, 'must have at least one'),
    ),
    () => ['sandbox_mfb', 'sandbox_bank', 'sandbox_trust'],
  ),
  listParameters: v.optional(ListParameters, {}),
});
export type ServiceDialect = Dialect & Readonly<v.InferOutput<typeof ServiceDialect>>;
/** Some fields of the dialect; the others have their defaults. */
export type DialectChoices = v.InferInput<typeof ServiceDialect>;

/**
 * Creates a dialect, with defaults for the fields that are not given.
 *
 * @throws {CheckoutError} `invalid_options`, naming unknown fields and invalid values
 */
export function createDialect(choices: DialectChoices = {}): ServiceDialect {
  const dialect = parseOptions(ServiceDialect, choices, 'the dialect');
  return Object.freeze({ ...dialect, ...createAmounts(dialect.amountUnit, dialect.chargedAmountBasis) });
}

export const defaultServiceDialect: ServiceDialect = createDialect();
