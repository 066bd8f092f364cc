import * as v from 'valibot';
import { wholeNumber } from '../../client/options/parse-options.ts';
import { hmacSha512, toHex } from '../../client/signing/hmac.ts';

export type LimiterVerdict = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** Counts requests per key, and refuses those beyond a limit. */
export type Limiter = {
  /**
   * Counts one request of this key, which may be any text. Never rejects: failures are reported and do not block payments.
   */
  take: (key: string) => Promise<LimiterVerdict>;
};

export const LimiterOptions = v.strictObject({
  /**
   * What is limited, such as `sessions`: limiters with the same name share their counts. 1 to 40 lower-case letters, digits
   * and `_`.
   */
  name: v.pipe(v.string(), v.regex(/^[a-z0-9_]{1,40}$/, 'must be up to 40 lower-case letters, digits and _')),
  /** How many requests each key may make per period: 1 to 1,000,000. */
  limit: wholeNumber(1, 1_000_000),
  /** The length of the period, in seconds: 1 to 86,400. It begins with the first request. */
  perSeconds: wholeNumber(1, 86_400),
});
export type LimiterOptions = v.InferInput<typeof LimiterOptions>;

/** Returns the key as stored. Hashed, so that any key fits, and so that the counts do not reveal shoppers' addresses. */
export async function hashKey(key: string): Promise<string> {
  return toHex(await hmacSha512('transfer_checkout', key)).slice(0, 32);
}
