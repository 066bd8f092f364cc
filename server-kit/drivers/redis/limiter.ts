import { RateLimiterRedis } from 'rate-limiter-flexible';
import * as v from 'valibot';
import type { Limiter } from '../../checkout/ports/limiter.ts';
import { parseOptions } from '../../client/options/parse-options.ts';
import { createSharedLimiter, SharedLimiterOptions } from '../connected/shared-limiter.ts';
import { aRedisClient } from './redis-client.ts';

const RedisLimiterOptions = v.strictObject({
  ...SharedLimiterOptions.entries,
  /** An ioredis client. You close it. */
  redis: aRedisClient,
});
export type RedisLimiterOptions = v.InferInput<typeof RedisLimiterOptions>;

/**
 * Creates a limiter whose counts all instances share in Redis. Its keys begin with `transfer_checkout_` and expire.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createRedisLimiter(options: RedisLimiterOptions): Limiter {
  const { redis, ...settings } = parseOptions(RedisLimiterOptions, options, 'createRedisLimiter');
  return createSharedLimiter(
    'Redis',
    async (counter) => new RateLimiterRedis({ ...counter, storeClient: redis, rejectIfRedisNotReady: true }),
    settings,
  );
}
