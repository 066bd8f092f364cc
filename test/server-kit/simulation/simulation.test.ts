import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';
import { runWave } from './wave.ts';
import type { WaveSettings } from './world/settings.ts';
import { steadyDigest } from './world/steady-digest.ts';

let putBack = (): void => {};
beforeAll(() => {
  putBack = steadyDigest();
});
afterAll(() => putBack());

const settings: WaveSettings = { seed: 1, wave: 0, orders: 70, faults: 0.2, instances: 3, store: 'memory' };

describe('a simulation of the whole checkout', () => {
  it('loses no payment and reports none twice, whatever happens', async () => {
    const total: Record<string, number> = {};
    for (const seed of [1, 2]) {
      const { violations, counts } = await runWave({ ...settings, seed });
      expect(violations, `seed ${seed}`).toEqual([]);
      for (const [event, count] of Object.entries(counts)) total[event] = (total[event] ?? 0) + count;
    }
    // Waves in which nothing happens would break no rule.
    expect(total['reported paid']).toBeGreaterThan(30);
    for (const event of [
      'links given out',
      'links opened',
      'links opened too late',
      'the link kept where the account was requested',
      'the account kept where the link was requested',
      'instances killed',
      'instances stood still',
      'callbacks lost',
      'callbacks doubled',
      'service calls that were refused',
      'service responses that were lost',
      'store calls that failed',
      'store responses that were lost',
      'handlers that threw',
      'handlers that stalled',
      'messages dropped by the bus',
    ])
      expect(total[event], event).toBeGreaterThan(0);
  });

  it('loses and doubles nothing in a SQLite file either', async () => {
    const { violations, counts } = await runWave({ ...settings, orders: 12, store: 'sqlite' });
    expect(violations).toEqual([]);
    expect(counts['reported paid']).toBeGreaterThan(5);
  });

  it('is the same again with the same seed, and another with another', async () => {
    const small = { ...settings, orders: 8, trace: 'order-3' };
    const first = await runWave(small);
    expect(first.story.length).toBeGreaterThan(5);
    expect(await runWave(small)).toEqual(first);
    expect((await runWave({ ...small, seed: 2 })).counts).not.toEqual(first.counts);
  });
});

describe('the options of a simulation', () => {
  it('find the wave of an order that is traced', () => {
    expect(readOptions(['--seed', '7', '--trace', 'order-401'])).toMatchObject({ seeds: [7], waves: [2] });
  });

  it.each([[['--store', 'paper']], [['--faults', '2']], [['--trace', '12']], [['--unknown', '1']]])(
    'refuse %j',
    (args) => {
      expect(() => readOptions(args)).toThrow();
    },
  );
});
