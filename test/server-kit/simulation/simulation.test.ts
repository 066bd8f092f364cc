import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';
import { runWave } from './wave.ts';
import type { WaveSettings } from './world/world.ts';

const settings: WaveSettings = { seed: 2, wave: 0, orders: 20, faults: 0.2, instances: 3 };

describe('a simulation of the whole checkout', () => {
  it('loses no payment and reports none twice under faults', async () => {
    const { violations, counts: total } = await runWave(settings);
    expect(violations).toEqual([]);
    // A wave in which nothing happens breaks no rule either.
    expect(total['reported paid']).toBeGreaterThan(10);
    for (const event of [
      'links received',
      'links opened',
      'links opened too late',
      'open link kept when the other kind was requested',
      'open account kept when the other kind was requested',
      'expired payments shown again',
      'instances killed',
      'instances frozen',
      'callbacks lost',
      'callbacks doubled',
      'service calls refused',
      'service responses lost',
      'store calls failed',
      'store responses lost',
      'handlers that threw',
      'handlers that stalled',
      'notifications lost',
    ])
      expect(total[event], event).toBeGreaterThan(0);
  });

  it('gives the same result for the same seed, and another result for another seed', async () => {
    const small = { ...settings, orders: 2, tracedOrderId: 'order-1' };
    const first = await runWave(small);
    expect(first.trace.length).toBeGreaterThan(5);
    expect(await runWave(small)).toEqual(first);
    expect((await runWave({ ...small, seed: 3 })).counts).not.toEqual(first.counts);
  });
});

describe('the options of a simulation', () => {
  it('select the wave of a traced order', () => {
    expect(readOptions(['--seed', '7', '--trace', 'order-401'])).toMatchObject({ seeds: [7], waves: [2] });
  });

  it.each([[['--seeds', 'two']], [['--faults', '2']], [['--trace', '12']], [['--unknown', '1']]])(
    'refuse %j',
    (args) => {
      expect(() => readOptions(args)).toThrow();
    },
  );
});
