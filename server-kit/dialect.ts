/**
 * Every choice that the service's interface leaves open, in one place. The client, the sandbox, the callbacks and
 * the checkout read it; nothing of it is repeated elsewhere. The defaults are how the public service behaves.
 */
export type Dialect = {
  /** The unit of amounts on the wire: `minor` (NGN 100.00 is `10000`) or `major` (`100`). */
  amountUnit: 'minor' | 'major';
  /** The form of the URL path in the text that is signed. */
  signedPath: 'lowerCase' | 'exact';
  /** The body hash of a request without body: left out, or the hash of `{}`. */
  bodyHashWithoutBody: 'omitted' | 'emptyObject';
  /** How far a timestamp may lie from the receiver's clock, either way, in seconds. */
  timestampToleranceSeconds: number;
  /** A refused signature counts as clock skew only when the service's `Date` is further off than this, in seconds. */
  clockSkewThresholdSeconds: number;
  /** Whether `chargedAmount` is what the shopper sent (`gross`), or what is left of it after fees (`net`). */
  chargedAmountBasis: 'gross' | 'net';
  /** The form of the callback URL that the sandbox signs. Verifying accepts both. */
  signedCallbackUrl: 'exact' | 'lowerCase';
};

export const defaultDialect: Readonly<Dialect> = Object.freeze({
  amountUnit: 'minor',
  signedPath: 'lowerCase',
  bodyHashWithoutBody: 'omitted',
  timestampToleranceSeconds: 300,
  clockSkewThresholdSeconds: 60,
  chargedAmountBasis: 'gross',
  signedCallbackUrl: 'exact',
} satisfies Dialect);

/** Fills the fields that are not given with the defaults. */
export function createDialect(choices: Partial<Dialect> = {}): Readonly<Dialect> {
  return Object.freeze({ ...defaultDialect, ...choices });
}
