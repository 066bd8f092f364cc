import { describe, expect, it } from 'vitest';
import { createWorld, type Limit } from './limited-service.ts';

const cases = (['fixed', 'sliding', 'bucket'] as const).flatMap((counting) =>
  // A sliding window of 200 a second takes half the time of this file.
  (counting === 'sliding' ? [10, 50] : [10, 50, 200]).flatMap((ratePerSecond) =>
    [undefined, 1].flatMap((retryAfterSeconds) =>
      [1, 2].map((instances) => ({ counting, ratePerSecond, retryAfterSeconds, instances })),
    ),
  ),
);

describe('more demand than a service takes', () => {
  it.each(cases)(
    'uses $ratePerSecond a second ($counting, Retry-After $retryAfterSeconds) well on $instances instance(s)',
    async ({ instances, ...limit }) => {
      const world = createWorld(limit, { instances, seed: `${limit.ratePerSecond} ${instances}` });
      world.keepWaiting(limit.ratePerSecond * 4);
      // A new budget may find a limit too low by its first burst.
      await world.measure(30_000);
      const { takenPerSecond, refusedShare } = await world.measure(30_000);
      expect(takenPerSecond / limit.ratePerSecond).toBeGreaterThan(0.8);
      expect(takenPerSecond / limit.ratePerSecond).toBeLessThanOrEqual(1.01);
      expect(refusedShare).toBeLessThan(0.05);
    },
  );

  it.each([1, 2])(
    'lets nobody wait longer than three times the mean, on %i instance(s)',
    async (instances) => {
      const world = createWorld({ ratePerSecond: 20, counting: 'fixed' }, { instances });
      world.keepWaiting(80);
      await world.measure(10_000);
      const { waitsMs } = await world.measure(60_000);
      const mean = waitsMs.reduce((sum, wait) => sum + wait, 0) / waitsMs.length;
      expect(waitsMs.length).toBeGreaterThan(20 * 60 * 0.8);
      expect(Math.max(...waitsMs)).toBeLessThan(3 * mean);
    },
  );
});

describe('a service that was down', () => {
  it('gets about one request a second, and the full rate half a minute after it is back', async () => {
    const limit: Limit = { ratePerSecond: 50, counting: 'sliding' };
    const { keepWaiting, measure } = createWorld(limit);
    keepWaiting(200);
    await measure(20_000);
    limit.ratePerSecond = 0;
    await measure(60_000);
    const { taken, refused } = await measure(30_000);
    expect(taken).toBe(0);
    expect(refused).toBeLessThan(60);
    limit.ratePerSecond = 50;
    await measure(30_000);
    expect((await measure(10_000)).takenPerSecond).toBeGreaterThan(40);
  });
});
