import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Limiter } from './limiter.ts';
import { createSharedLimiter, type SharedLimiterOptions } from './shared.ts';

export type RedisLimiterOptions = SharedLimiterOptions & {
  /** A client of ioredis. It stays the caller's to close. */
  redis: Redis;
};

/**
 * A limiter whose counts all instances share in Redis, as keys that begin with `transfer_checkout_` and expire.
 *
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong
 */
export function createRedisLimiter({ redis, ...options }: RedisLimiterOptions): Limiter {
  return createSharedLimiter(
    'Redis',
    async (counter) => new RateLimiterRedis({ ...counter, storeClient: redis, rejectIfRedisNotReady: true }),
    options,
  );
}
