import { describe, expect, it } from 'vitest';
import { formatDuration, formatMoment, spokenStep } from '../../src/model/moments.ts';

const minute = 60_000;

describe('a duration', () => {
  it.each([
    [40_000, 'en', '40 seconds'],
    [1, 'en', '1 second'],
    [119_001, 'en', '2 minutes'],
    [27 * minute, 'fr', '27 minutes'],
    [120 * minute, 'en', '2 hours'],
  ])('of %i ms in %s is %s', (ms, locale, said) => {
    expect(formatDuration(ms, locale)).toBe(said);
  });
});

describe('the time left is spoken', () => {
  it('about every three minutes, in the last five every minute, in the last two every thirty seconds', () => {
    const steps: number[] = [];
    for (let left = 15 * minute; left > 0; left -= 1000) {
      const step = spokenStep(left) / minute;
      if (step !== steps.at(-1)) steps.push(step);
    }
    expect(steps).toEqual([15, 12, 9, 6, 5, 4, 3, 2, 1.5, 1, 0.5]);
  });
});

it('a moment is written as the language writes it', () => {
  expect(formatMoment('2026-03-01T12:00:00Z', 'en')).toMatch(/Mar 1, 2026, \d\d?:00/);
  expect(formatMoment('2026-03-01T12:00:00Z', 'fr')).toMatch(/1 mars 2026/);
});
