import { describe, expect, it } from 'vitest';
import { readOptions } from '../options.ts';
import { createVirtualClock } from '../world/clock.ts';
import { startMs } from '../world/settings.ts';
import { chooseScenarios, exploreScenario, readDeviations, writeDeviations } from './explore.ts';
import { runScenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { createScheduler, type Deviation } from './scheduler.ts';

describe('every scenario', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'breaks no rule with a fault at some of its steps: %s',
    async (_name, scenario) => {
      const { findings, steps } = await exploreScenario(scenario, { seed: 1, runs: 1 });
      expect(findings).toEqual([]);
      // A scenario without steps would run once and prove nothing.
      expect(steps).toBeGreaterThan(10);
    },
  );

  it('gives the same result with the same fault', async () => {
    const [scenario] = chooseScenarios(['first-account']);
    if (scenario === undefined) throw new Error('There is no such scenario.');
    const options = { seed: 1, deviations: [{ step: 4, action: 'kill' } as const], isTraced: true };
    const first = await runScenario(scenario, options);
    expect(first.counts['instances killed']).toBeGreaterThan(1);
    expect(await runScenario(scenario, options)).toEqual(first);
  });
});

describe('a schedule', () => {
  const run = async (...deviations: Deviation[]): Promise<string[]> => {
    const clock = createVirtualClock(startMs);
    const scheduler = createScheduler(clock, deviations);
    const order: string[] = [];
    scheduler.setCounting(true);
    for (const label of ['a', 'b', 'c'])
      void scheduler.step(label, []).then((action) => order.push(action ? `${label} ${action}` : label));
    await clock.runUntil(startMs + 10_000);
    return order;
  };

  it('runs steps in the order of their arrival', async () => {
    expect(await run()).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['0:swap', ['b', 'a', 'c']],
    ['0:last', ['b', 'c', 'a']],
    ['1:hold', ['a', 'c', 'b']],
    ['1:lose', ['a', 'b lose', 'c']],
    ['0:swap+1:kill', ['b kill', 'a', 'c']],
  ])('applies %s', async (text, order) => {
    expect(await run(...readDeviations(text))).toEqual(order);
  });

  it('delays a held step by three seconds', async () => {
    const clock = createVirtualClock(startMs);
    const scheduler = createScheduler(clock, readDeviations('0:hold'));
    scheduler.setCounting(true);
    let tookMs = 0;
    void scheduler.step('a', []).then(() => {
      tookMs = clock.now() - startMs;
    });
    await clock.runUntil(startMs + 10_000);
    expect(tookMs).toBe(3000);
    expect(scheduler.deviatedAtMs()).toBe(startMs + 3000);
  });

  it('is written in the format in which it is read', () => {
    expect(writeDeviations(readDeviations('12:kill+30:lose'))).toBe('12:kill+30:lose');
    expect(() => readDeviations('12:explode')).toThrow('kill');
    expect(() => readDeviations('kill')).toThrow('--at');
  });
});

describe('the options of an exploration', () => {
  it('set the scenarios and the number of runs', () => {
    const { exploration } = readOptions([
      '--explore',
      '--scenario',
      'first-account',
      '--runs',
      '7',
      '--seed',
      '3',
    ]);
    expect(exploration).toMatchObject({ names: ['first-account'], runs: 7, seed: 3 });
    expect(readOptions([]).exploration).toBeUndefined();
  });

  it('refuse an unknown scenario and list the known ones', () => {
    expect(() => chooseScenarios(['no-such-scenario'])).toThrow('first-account');
  });
});
