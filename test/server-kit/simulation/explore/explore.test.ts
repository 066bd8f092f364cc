import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOptions } from '../options.ts';
import { createVirtualClock } from '../world/clock.ts';
import { startMs } from '../world/settings.ts';
import { steadyDigest } from '../world/steady-digest.ts';
import { chooseScenes, exploreScene, readDeviations, writeDeviations } from './explore.ts';
import { scenes } from './scenes.ts';
import { createScheduler, type Deviation } from './scheduler.ts';
import { playScene } from './stage.ts';

let putBack = (): void => {};
beforeAll(() => {
  putBack = steadyDigest();
});
afterAll(() => putBack());

describe('every scene', () => {
  it.each(scenes.map(({ name }) => name))(
    'breaks no rule with a mishap at some of its steps: %s',
    async (name) => {
      const [scene] = chooseScenes([name]);
      if (scene === undefined) throw new Error('There is no such scene.');
      const { findings, steps } = await exploreScene(scene, { seed: 1, runs: 5 });
      expect(findings).toEqual([]);
      // A scene without steps would be played once, and show nothing.
      expect(steps).toBeGreaterThan(10);
    },
  );

  it('is the same again with the same mishap', async () => {
    const [scene] = chooseScenes(['first-account']);
    if (scene === undefined) throw new Error('There is no such scene.');
    const options = { seed: 1, deviations: [{ step: 4, action: 'kill' } as const], trace: true };
    const first = await playScene(scene, options);
    expect(first.counts['instances killed']).toBeGreaterThan(1);
    expect(await playScene(scene, options)).toEqual(first);
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

  it('lets the steps go on in the order in which they came', async () => {
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

  it('lets three seconds pass before a step that is held', async () => {
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

  it('is written in the order in which it is read', () => {
    expect(writeDeviations(readDeviations('12:kill+30:lose'))).toBe('12:kill+30:lose');
    expect(() => readDeviations('12:explode')).toThrow('kill');
    expect(() => readDeviations('kill')).toThrow('--at');
  });
});

describe('the options of an exploration', () => {
  it('name scenes and the number of plays', () => {
    const { exploration } = readOptions([
      '--explore',
      '--scene',
      'first-account',
      '--runs',
      '7',
      '--seed',
      '3',
    ]);
    expect(exploration).toMatchObject({ names: ['first-account'], runs: 7, seed: 3 });
    expect(readOptions([]).exploration).toBeUndefined();
  });

  it('refuse a scene that there is not', () => {
    expect(() => chooseScenes(['no-such-scene'])).toThrow('first-account');
  });
});
