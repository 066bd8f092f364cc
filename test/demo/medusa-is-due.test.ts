import { expect, it } from 'vitest';
import { isDue } from '../../demo/examples/medusa/src/lib/is-due.ts';

const minuteMs = 60_000;
const createdAt = Date.UTC(2026, 2, 1, 12, 17);

it.each([0.5, 1, 7, 25, 60, 90])(
  'asks about an old session each hour, or each round, with a round every %f minutes',
  (minutes) => {
    const day = Math.floor((24 * 60) / minutes);
    const rounds = Array.from({ length: day }, (_, index) => createdAt + (index + 1) * minutes * minuteMs);
    const asked = rounds.filter((now, index) => isDue(createdAt, now, rounds[index - 1] ?? 0));
    const ends = [...asked, createdAt + 24 * 60 * minuteMs];
    const gaps = ends.map((now, index) => now - (asked[index - 1] ?? createdAt));
    expect(Math.max(...gaps)).toBeLessThanOrEqual((Math.max(60, minutes) + minutes) * minuteMs);
    const late = asked.filter((now) => now - createdAt >= 60 * minuteMs);
    expect(late.length).toBeLessThanOrEqual(24);
  },
);
