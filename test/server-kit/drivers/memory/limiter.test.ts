import { describe, expect, it } from 'vitest';
import { createMemoryLimiter } from '../../../../server-kit/drivers/memory/limiter.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { describeLimiter, takeTimes } from '../conformance/limiter.conformance.ts';

describeLimiter('memory', createMemoryLimiter);

describe('a limiter that counts in this process', () => {
  const setUp = () => {
    const clock = createTestClock();
    return {
      clock,
      limiter: createMemoryLimiter({ name: 'sessions', limit: 1, perSeconds: 60, now: clock.now }),
    };
  };

  it('begins a new period to the second, counted from the first request', async () => {
    const { clock, limiter } = setUp();
    await limiter.take('a');
    clock.advance(59_999);
    expect(await limiter.take('a')).toEqual({ allowed: false, retryAfterSeconds: 1 });
    clock.advance(1);
    expect(await takeTimes(limiter, 'a', 2)).toEqual([true, false]);
  });

  it('refuses a key for at most one period, even if the clock is set back', async () => {
    const { clock, limiter } = setUp();
    await limiter.take('a');
    clock.advance(-3_600_000);
    expect(await takeTimes(limiter, 'a', 2)).toEqual([true, false]);
  });

  it('forgets the oldest keys when there are too many', async () => {
    const { limiter } = setUp();
    for (let key = 0; key <= 100_000; key++) await limiter.take(`${key}`);
    const allowed = await Promise.all(
      ['100000', '50000', '49999', '0'].map(async (key) => (await limiter.take(key)).allowed),
    );
    expect(allowed).toEqual([false, false, true, true]);
  });
});
