import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exploreScene } from './explore/explore.ts';
import { scenes } from './explore/scenes.ts';
import { runWave } from './wave.ts';
import type { WaveSettings } from './world/settings.ts';
import { steadyDigest } from './world/steady-digest.ts';

let putBack = (): void => {};
beforeAll(() => {
  putBack = steadyDigest();
});
afterAll(() => putBack());

const wave: WaveSettings = { seed: 1, wave: 0, orders: 200, faults: 0.2, instances: 3, store: 'memory' };

describe('a longer simulation', () => {
  it.each([101, 102, 103, 104, 105, 106])('breaks no rule, with seed %i', async (seed) => {
    const { violations, counts } = await runWave({ ...wave, seed });
    expect(violations).toEqual([]);
    expect(counts['reported paid']).toBeGreaterThan(20);
  });

  it.each(scenes)('breaks no rule with a mishap at any step of $name', async (scene) => {
    const { findings } = await exploreScene(scene, { seed: 2, runs: 60 });
    expect(findings).toEqual([]);
  });
});
