import { describe } from 'vitest';
import { createRedisLimiter } from '../../../server-kit/limits/redis.ts';
import { connectRedis, hasRedis, redisUrl } from '../kit/services.ts';
import { describeSharedLimiter } from './shared-limiter.conformance.ts';

describe.skipIf(!(await hasRedis()))('with Redis', () => {
  describeSharedLimiter({
    name: 'Redis',
    url: redisUrl,
    async createLimiter(url, options) {
      const redis = connectRedis(url);
      // Ready, or refused: a client that still connects is as good as a service that is away.
      await new Promise((resolve) => redis.once('ready', resolve).once('close', resolve));
      return createRedisLimiter({ redis, ...options });
    },
  });
});
