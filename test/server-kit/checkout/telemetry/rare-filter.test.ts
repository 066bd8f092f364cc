import { describe, expect, it } from 'vitest';
import { createRareFilter } from '../../../../server-kit/checkout/telemetry/rare-filter.ts';
import { seededRandom } from '../../tools/sandbox/sandbox-kit.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

function createFilter(random: () => number = () => 0.5) {
  let at = 0;
  const passes = createRareFilter({ now: () => at, random });
  const advance = (ms: number): void => {
    at += ms;
  };
  return { passes, advance };
}

describe('the filter of rare entries', () => {
  it('passes a key once a day', () => {
    const { passes, advance } = createFilter();
    expect([passes('a'), passes('a')]).toEqual([true, false]);
    advance(day - 1);
    expect(passes('a')).toBe(false);
    advance(1);
    expect([passes('a'), passes('a')]).toEqual([true, false]);
  });

  it('passes another key after a pause of 30 to 90 seconds', () => {
    for (const [random, pauseMs] of [
      [0, 30 * second],
      [0.999_999, 90 * second],
    ] as const) {
      const { passes, advance } = createFilter(() => random);
      expect([passes('a'), passes('b')]).toEqual([true, false]);
      advance(pauseMs - second);
      expect(passes('b')).toBe(false);
      advance(second);
      expect([passes('a'), passes('b'), passes('c')]).toEqual([false, true, false]);
    }
  });

  it.each([
    ['sends a new key ten times a second', 100],
    ['comes again as soon as each pause may have ended', 30 * second],
    ['comes with each longest pause', 90 * second],
  ])('is not used up by an attacker who %s', (_how, everyMs) => {
    const { passes, advance } = createFilter(seededRandom());
    const passed: string[] = [];
    // A shopper of the misconfigured page comes every five seconds.
    for (let ms = 0; ms < day && !passed.includes('real'); ms += 50) {
      const key = ms % everyMs === 0 ? `junk ${ms}` : 'real';
      const isTime = key !== 'real' || ms % (5 * second) === 50;
      if (isTime && passes(key)) passed.push(key);
      advance(50);
    }
    expect(passed.at(-1)).toBe('real');
    expect(passed.length).toBeGreaterThan(1);
  });

  it('lets an attacker cause at most two entries a minute', () => {
    const { passes, advance } = createFilter(() => 0);
    let logged = 0;
    for (let ms = 0; ms < hour; ms += 10) {
      logged += Number(passes(`junk ${ms}`));
      advance(10);
    }
    expect(logged).toBe(120);
  });
});
