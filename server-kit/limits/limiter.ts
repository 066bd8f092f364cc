import * as v from 'valibot';
import { CheckoutError } from '../../src/contract/index.ts';
import { describeIssues } from '../errors/describe-issues.ts';
import { hmacSha512, toHex } from '../signing/hmac.ts';

export type LimiterVerdict = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** Counts what each key takes, and refuses more than so much in a while. */
export type Limiter = {
  /**
   * Takes one for this key; any text will do. Never rejects: what goes wrong is reported, and stops no payment.
   */
  take: (key: string) => Promise<LimiterVerdict>;
};

export type LimiterOptions = {
  /** What is limited, such as `sessions`: limiters of the same name share their counts. Lower-case letters, digits, `_`. */
  name: string;
  /** How much each key may take, from its first in `perSeconds` on. */
  limit: number;
  /** After how many seconds the count begins anew. */
  perSeconds: number;
};

const Whole = (maximum: number) =>
  v.pipe(v.number(), v.safeInteger('must be whole'), v.minValue(1), v.maxValue(maximum));

const OptionsSchema = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z0-9_]{1,40}$/, 'must be up to 40 lower-case letters, digits and _')),
  limit: Whole(1_000_000),
  perSeconds: Whole(86_400),
});

/**
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong
 */
export function checkLimiterOptions(options: LimiterOptions): void {
  const result = v.safeParse(OptionsSchema, options);
  if (result.success) return;
  const { text } = describeIssues(result.issues, 'options');
  throw new CheckoutError('invalid_options', `A limiter cannot work with these options. ${text}.`);
}

/**
 * A key as it is counted. Hashed, so that it fits wherever it is kept, however long it is and whatever it holds, and
 * so that whoever looks at the counts does not read shoppers' addresses.
 */
export async function hashKey(key: string): Promise<string> {
  return toHex(await hmacSha512('transfer_checkout', key)).slice(0, 32);
}
