import { remainingMs } from '../../client/async/wait.ts';
import { checkLimiterOptions, hashKey, type Limiter, type LimiterOptions } from './limiter.ts';

export type MemoryLimiterOptions = LimiterOptions & {
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
};

type Count = { endsAt: number; taken: number };

/** The most keys counted at once. An attacker with more keys gets past the limit, but does not use up the memory. */
const maxKeys = 100_000;
const forgottenAtOnce = 10_000;

/** Longer keys are stored as hashes of 32 characters. */
const maxKeyLength = 64;

/**
 * Creates a limiter that counts in this process. Each of several instances allows the whole limit.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createMemoryLimiter(options: MemoryLimiterOptions): Limiter {
  checkLimiterOptions(options);
  const { limit, perSeconds, now = Date.now } = options;
  const lengthMs = perSeconds * 1000;
  const counts = new Map<string, Count>();

  const isOver = ({ endsAt }: Count): boolean => remainingMs(endsAt - lengthMs, lengthMs, now()) === 0;
  const begin = (key: string): Count => {
    // Many at once, because a Map is slow to find its first key after others were deleted.
    if (counts.size >= maxKeys)
      for (const oldest of [...counts.keys()].slice(0, forgottenAtOnce)) counts.delete(oldest);
    const count = { endsAt: now() + lengthMs, taken: 0 };
    counts.delete(key);
    counts.set(key, count);
    return count;
  };

  return {
    async take(given) {
      const key = given.length > maxKeyLength ? await hashKey(given) : given;
      const known = counts.get(key);
      const count = known === undefined || isOver(known) ? begin(key) : known;
      if (count.taken >= limit) {
        return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((count.endsAt - now()) / 1000)) };
      }
      count.taken++;
      return { allowed: true };
    },
  };
}
