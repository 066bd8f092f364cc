import * as v from 'valibot';
import { Dialect, listOf, parseOptions, wholeNumber } from '../core/options.ts';

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
  ...Dialect.entries,
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
export type ServiceDialect = Readonly<v.InferOutput<typeof ServiceDialect>>;
/** Some fields of the dialect; the others have their defaults. */
export type DialectChoices = v.InferInput<typeof ServiceDialect>;

/**
 * Creates a dialect, with defaults for the fields that are not given.
 *
 * @throws {CheckoutError} `invalid_options`, naming unknown fields and invalid values
 */
export const createDialect = (choices: DialectChoices = {}): ServiceDialect =>
  Object.freeze(parseOptions(ServiceDialect, choices, 'the dialect'));

export const defaultServiceDialect: ServiceDialect = createDialect();
