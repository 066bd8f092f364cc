import { describe } from 'vitest';
import { createRedisLimiter } from '../../../../server-kit/drivers/redis/limiter.ts';
import { connectRedis, hasRedis, redisUrl } from '../../kit/services.ts';
import { describeSharedLimiter } from '../conformance/shared-limiter.conformance.ts';

describe.skipIf(!(await hasRedis()))('a limiter on Redis', () => {
  describeSharedLimiter({
    name: 'Redis',
    url: redisUrl,
    async createLimiter(url, options) {
      const redis = connectRedis(url);
      // Ready or refused: a client that is still connecting counts as an unavailable service.
      await new Promise((resolve) => redis.once('ready', resolve).once('close', resolve));
      return createRedisLimiter({ redis, ...options });
    },
  });
});
