import { describe, expect, it } from 'vitest';
import { createMemoryLimiter } from '../../../../server-kit/checkout/ports/memory-limiter.ts';
import { describeLimiter, takeTimes } from '../../drivers/conformance/limiter.conformance.ts';
import { createTestClock } from '../../kit/test-clock.ts';

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
    const { clock, limiter } = setUp();
    for (const name of ['oldest', 'again']) await limiter.take(name);
    clock.advance(60_000);
    for (let key = 0; key < 10_000; key++) await limiter.take(`${key}`);
    // A new period makes it one of the newest.
    await limiter.take('again');
    for (let key = 0; key < 90_000; key++) await limiter.take(`new ${key}`);
    const allowed = await Promise.all(
      ['again', 'new 0', '9999', '0', 'oldest'].map(async (key) => (await limiter.take(key)).allowed),
    );
    expect(allowed).toEqual([false, false, false, true, true]);
  });
});
