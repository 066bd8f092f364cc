import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Limiter } from '../../checkout/ports/limiter.ts';
import { createSharedLimiter, type SharedLimiterOptions } from '../connected/shared-limiter.ts';

export type RedisLimiterOptions = SharedLimiterOptions & {
  /** An ioredis client. You close it. */
  redis: Redis;
};

/**
 * Creates a limiter whose counts all instances share in Redis. Its keys begin with `transfer_checkout_` and expire.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createRedisLimiter({ redis, ...options }: RedisLimiterOptions): Limiter {
  return createSharedLimiter(
    'Redis',
    async (counter) => new RateLimiterRedis({ ...counter, storeClient: redis, rejectIfRedisNotReady: true }),
    options,
  );
}
