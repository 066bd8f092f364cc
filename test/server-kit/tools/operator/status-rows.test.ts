import { expect, it } from 'vitest';
import { formatAge } from '../../../../server-kit/tools/operator/status-rows.ts';

const hourMs = 3_600_000;

it.each([
  [null, 'none'],
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [hourMs - 1, '59 min'],
  [3 * hourMs + 5 * 60_000, '3 h 5 min'],
  [24 * hourMs, '1 day 0 h'],
  [52 * hourMs, '2 days 4 h'],
])('formats an age of %s ms as %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});
