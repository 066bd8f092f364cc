import { expect, it } from 'vitest';
import { runWave } from './wave.ts';

it.each([101, 102, 103, 104])('a longer simulation breaks no rule, with seed %i', async (seed) => {
  const { violations, counts } = await runWave({ seed, wave: 0, orders: 120, faults: 0.2, instances: 3 });
  expect(violations).toEqual([]);
  expect(counts['reported paid']).toBeGreaterThan(20);
});
