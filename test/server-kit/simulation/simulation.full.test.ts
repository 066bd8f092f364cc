import { describe, expect, it } from 'vitest';
import { exploreScenario } from './explore/explore.ts';
import { scenarios } from './explore/scenarios.ts';
import { runWave } from './wave.ts';
import type { WaveSettings } from './world/settings.ts';

const wave: WaveSettings = { seed: 1, wave: 0, orders: 200, faults: 0.2, instances: 3, store: 'memory' };

describe('a longer simulation', () => {
  it.each([101, 102, 103, 104, 105, 106])('breaks no rule, with seed %i', async (seed) => {
    const { violations, counts } = await runWave({ ...wave, seed });
    expect(violations).toEqual([]);
    expect(counts['reported paid']).toBeGreaterThan(20);
  });

  it('loses no payment and reports none twice with SQLite', async () => {
    const { violations, counts } = await runWave({ ...wave, orders: 12, store: 'sqlite' });
    expect(violations).toEqual([]);
    expect(counts['reported paid']).toBeGreaterThan(5);
  });

  it.each(scenarios)('breaks no rule with a fault at any step of $name', async (scenario) => {
    const { findings } = await exploreScenario(scenario, { seed: 2, runs: 60 });
    expect(findings).toEqual([]);
  });
});
