import { queryObjects } from 'node:v8';
import { expect, it } from 'vitest';
import { createMemoryLimiter } from '../../../../server-kit/drivers/memory/limiter.ts';
import { createTestClock } from '../../kit/test-clock.ts';

// Counting the objects of a worker that has run other files takes half a minute.
it('a limiter that counts in this process forgets keys whose period has ended', async () => {
  const clock = createTestClock();
  const limiter = createMemoryLimiter({ name: 'sessions', limit: 1, perSeconds: 60, now: clock.now });
  const countObjects = () => queryObjects(Object, { format: 'count' });
  const before = countObjects();
  for (let key = 0; key < 40_000; key++) await limiter.take(`${key}`);
  expect(countObjects() - before).toBeGreaterThan(40_000);
  for (const later of ['a', 'b']) {
    clock.advance(60_000);
    await limiter.take(later);
  }
  expect(countObjects() - before).toBeLessThan(10_000);
});
