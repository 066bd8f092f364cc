import * as v from 'valibot';
import { describeIssues } from './issues.ts';

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
  timestampToleranceSeconds: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 300),
  /** A refusal counts as clock skew only when the service's `Date` is further off than this, in seconds. */
  clockSkewThresholdSeconds: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 60),
  /** Whether `chargedAmount` is what the shopper sent (`gross`), or what is left of it after fees (`net`). */
  chargedAmountBasis: v.optional(v.picklist(['gross', 'net']), 'gross'),
  /** The form of the callback URL that `signCallback` signs. Verifying accepts both. */
  signedCallbackUrl: v.optional(v.picklist(['exact', 'lowerCase']), 'exact'),
});
export type Dialect = v.InferOutput<typeof Dialect>;

/**
 * Fills the fields that are not given with the defaults.
 *
 * @throws {TypeError} naming the fields that do not exist or hold what they cannot
 */
export function createDialect(choices: Partial<Dialect> = {}): Readonly<Dialect> {
  const result = v.safeParse(Dialect, choices);
  if (result.success) return Object.freeze(result.output);
  throw new TypeError(`The dialect is wrong. ${describeIssues(result.issues, 'dialect').text}.`);
}

export const defaultDialect: Readonly<Dialect> = createDialect();
