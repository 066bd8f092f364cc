import * as v from 'valibot';
import { hashKey, type Limiter, LimiterOptions } from '../../checkout/ports/limiter.ts';
import { remainingMs } from '../../client/async/wait.ts';
import { aFunction, parseOptions } from '../../client/options/parse-options.ts';

const MemoryLimiterOptions = v.strictObject({
  ...LimiterOptions.entries,
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
});
export type MemoryLimiterOptions = v.InferInput<typeof MemoryLimiterOptions>;

type Count = { endsAt: number; taken: number };

/** At most twice as many are counted at once. An attacker with more keys gets past the limit, but does not use up the memory. */
const maxRecentKeys = 50_000;

/** Longer keys are stored as hashes of 32 characters. */
const maxKeyLength = 64;

/**
 * Creates a limiter that counts in this process. Each of several instances allows the whole limit.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createMemoryLimiter(options: MemoryLimiterOptions): Limiter {
  const { limit, perSeconds, now } = parseOptions(MemoryLimiterOptions, options, 'createMemoryLimiter');
  const lengthMs = perSeconds * 1000;
  let recent = new Map<string, Count>();
  let earlier = recent;

  const isOver = ({ endsAt }: Count): boolean => remainingMs(endsAt - lengthMs, lengthMs, now()) === 0;
  const newCount = (): Count => ({ endsAt: now() + lengthMs, taken: 0 });
  let first = newCount();
  const begin = (key: string): Count => {
    const count = newCount();
    // When the first of the recent counts has ended, all earlier ones have.
    if (isOver(first) || recent.size >= maxRecentKeys) {
      [earlier, recent, first] = [recent, new Map(), count];
    }
    recent.set(key, count);
    return count;
  };

  return {
    async take(given) {
      const key = given.length > maxKeyLength ? await hashKey(given) : given;
      const known = recent.get(key) ?? earlier.get(key);
      const count = known === undefined || isOver(known) ? begin(key) : known;
      if (count.taken >= limit) {
        return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((count.endsAt - now()) / 1000)) };
      }
      count.taken++;
      return { allowed: true };
    },
  };
}
