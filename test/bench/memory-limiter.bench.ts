import { bench, describe } from 'vitest';
import { createMemoryLimiter } from '../../server-kit/drivers/memory/limiter.ts';

describe('a take, where as many keys are counted as there may be', () => {
  const limiter = createMemoryLimiter({ name: 'clients', limit: 1_000_000, perSeconds: 86_400 });
  let next = 0;
  const setup = async (): Promise<void> => {
    for (; next < 300_000; next++) await limiter.take(`${next}`);
  };
  bench('of a key that is counted', async () => void (await limiter.take(`${next - 1}`)), { setup });
  bench('of a new key', async () => void (await limiter.take(`${next++}`)), { setup });
});
