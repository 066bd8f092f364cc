import { remainingMs } from '../async/wait.ts';
import { checkLimiterOptions, hashKey, type Limiter, type LimiterOptions } from './limiter.ts';

export type MemoryLimiterOptions = LimiterOptions & {
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
};

type Count = { endsAt: number; taken: number };

/** So many keys are counted at once. Whoever can have more of them gets more than the limit, and no more memory. */
const maxKeys = 100_000;

/** Longer keys are kept as hashes of 32 characters. */
const maxKeyLength = 64;

/**
 * A limiter that counts in this process. Each of several instances allows the whole limit.
 *
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong
 */
export function createMemoryLimiter(options: MemoryLimiterOptions): Limiter {
  checkLimiterOptions(options);
  const { limit, perSeconds, now = Date.now } = options;
  const lengthMs = perSeconds * 1000;
  // In the order in which they end, because each lasts equally long.
  const counts = new Map<string, Count>();

  const isOver = ({ endsAt }: Count): boolean => remainingMs(endsAt - lengthMs, lengthMs, now()) === 0;

  // Kept between takes: a new walk passes all that was deleted since the map has last grown, up to 150,000 keys each time.
  let walk = counts.entries();
  let oldest = walk.next();

  const makeRoom = (): void => {
    for (;;) {
      if (oldest.done) {
        walk = counts.entries();
        oldest = walk.next();
        if (oldest.done) return;
      }
      const [key, count] = oldest.value;
      if (!isOver(count) && counts.size < maxKeys) return;
      counts.delete(key);
      oldest = walk.next();
    }
  };
  const begin = (key: string): Count => {
    makeRoom();
    const count = { endsAt: now() + lengthMs, taken: 0 };
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
