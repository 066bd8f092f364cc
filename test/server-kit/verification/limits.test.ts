import { describe, expect, it } from 'vitest';
import { type Counting, createWorld, demand, measure } from './limited-service.ts';

const rates = [10, 50, 200];
const countings: Counting[] = ['fixed', 'sliding', 'bucket'];

describe.each(countings)('a service with a limit (%s) and more demand than that', (counting) => {
  it.each(
    rates.flatMap((ratePerSecond) =>
      [undefined, 1].flatMap((retryAfter) =>
        [1, 2].map((instances) => [ratePerSecond, retryAfter, instances] as const),
      ),
    ),
  )(
    'of %i a second, Retry-After %s, %i instance(s), is used well and refuses little',
    async (rate, retryAfter, instances) => {
      const seed = `${rate} ${retryAfter} ${instances}`;
      const limit = { ratePerSecond: rate, counting, ...(retryAfter && { retryAfterSeconds: retryAfter }) };
      const world = createWorld(limit, { instances, seed });
      demand(world, { waiting: rate * 4, intervalMs: 2000 });
      await measure(world, 10_000);
      const { takenPerSecond, refusedShare } = await measure(world, 30_000);
      world.stop();
      expect(takenPerSecond / rate).toBeGreaterThan(0.8);
      expect(takenPerSecond / rate).toBeLessThanOrEqual(1.01);
      expect(refusedShare).toBeLessThan(0.05);
    },
  );
});

describe('demand of twice the budget', () => {
  it.each([1, 2])(
    'lets nobody wait longer than three times the mean, on %i instance(s)',
    async (instances) => {
      const world = createWorld({ ratePerSecond: 20, counting: 'fixed' }, { instances });
      const { waiting } = demand(world, { waiting: 80, intervalMs: 2000 });
      await measure(world, 10_000);
      waiting.length = 0;
      await measure(world, 60_000);
      world.stop();
      const mean = waiting.reduce((sum, wait) => sum + wait, 0) / waiting.length;
      expect(waiting.length).toBeGreaterThan(20 * 60 * 0.8);
      expect(Math.max(...waiting)).toBeLessThan(3 * mean);
    },
  );

  it('by one address delays the payments of another by no more than its turns', async () => {
    const world = createWorld({ ratePerSecond: 20, counting: 'fixed' });
    demand(world, { waiting: 600, intervalMs: 2000, client: 'attacker' });
    const { waiting } = demand(world, { waiting: 3, intervalMs: 2000, client: 'ada' });
    await measure(world, 10_000);
    waiting.length = 0;
    await measure(world, 30_000);
    world.stop();
    // Twelve starts are two turns of two clients for each of the three, and a service that refuses pauses for a quarter of a second.
    expect(Math.max(...waiting)).toBeLessThan((12 * 1000) / 20 + 500);
    expect(waiting.length).toBeGreaterThan(3 * 10);
  });

  it('keeps the payments of an address with many phones waiting at most twice as long as all wait without turns', async () => {
    const world = createWorld({ ratePerSecond: 20, counting: 'fixed' });
    const { waiting } = demand(world, { waiting: 100, intervalMs: 2000, client: 'carrier' });
    for (let index = 0; index < 50; index++)
      demand(world, { waiting: 1, intervalMs: 2000, client: `shopper-${index}` });
    await measure(world, 10_000);
    waiting.length = 0;
    await measure(world, 60_000);
    world.stop();
    expect(waiting.length).toBeGreaterThan(100);
    expect(Math.max(...waiting)).toBeLessThan((2.2 * 150 * 1000) / 20);
  });

  it('by callbacks leaves a quarter to those who only wait', async () => {
    const world = createWorld({ ratePerSecond: 50, counting: 'fixed' });
    const { waiting, callback } = demand(world, { waiting: 200, intervalMs: 2000, callbacksPerSecond: 100 });
    await measure(world, 10_000);
    Object.assign(waiting, { length: 0 });
    Object.assign(callback, { length: 0 });
    await measure(world, 30_000);
    world.stop();
    const share = waiting.length / (waiting.length + callback.length);
    expect(share).toBeGreaterThan(0.24);
    expect(share).toBeLessThan(0.26);
  });
});

describe('a service that was down', () => {
  it('is asked once a second meanwhile, and is used as before half a minute later', async () => {
    const limit = { ratePerSecond: 50, counting: 'sliding' as Counting };
    const world = createWorld(limit);
    demand(world, { waiting: 200, intervalMs: 2000 });
    await measure(world, 20_000);
    limit.ratePerSecond = 0;
    await measure(world, 60_000);
    const down = await measure(world, 30_000);
    expect(down.takenPerSecond).toBe(0);
    expect(world.counts.refused).toBeLessThan(60);
    limit.ratePerSecond = 50;
    await measure(world, 30_000);
    expect((await measure(world, 10_000)).takenPerSecond).toBeGreaterThan(40);
    world.stop();
  });
});
