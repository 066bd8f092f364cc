import { describe, expect, it } from 'vitest';
import {
  formatCountdown,
  formatDateTime,
  formatDuration,
  formatOffset,
  formatRecent,
} from '../../../../../../server-kit/tools/sandbox/pages/format/time.ts';

const noon = Date.UTC(2026, 0, 2, 12, 0, 0) / 1000;

describe('a timestamp', () => {
  it('is shown in UTC, wherever the browser is', () => {
    expect(formatDateTime('2026-01-02T23:30:05.000Z')).toBe('2 Jan 2026, 23:30:05');
  });

  it('is shown without a date if it is of the sandbox’s current day', () => {
    expect(formatRecent('2026-01-02T09:30:05.000Z', noon)).toBe('09:30:05');
    expect(formatRecent('2026-01-01T09:30:05.000Z', noon)).toBe('1 Jan 2026, 09:30:05');
    expect(formatRecent('2026-01-02T09:30:05.000Z', undefined)).toBe('2 Jan 2026, 09:30:05');
  });
});

describe('the clock', () => {
  it.each([
    [0, 'real time'],
    [1, 'real time'],
    [-1, 'real time'],
    [2, '2 s ahead'],
    [-45, '45 s behind'],
    [1800, '30 min ahead'],
    [-93_900, '1 day 2 h 5 min behind'],
  ])('is "$1" if it is off by %d s', (seconds, text) => {
    expect(formatOffset(seconds)).toBe(text);
  });

  it('is formatted in readable units', () => {
    expect([formatDuration(59), formatDuration(3600), formatDuration(172_800)]).toEqual([
      '59 s',
      '1 h',
      '2 days',
    ]);
    expect([formatCountdown(5), formatCountdown(1799), formatCountdown(3729)]).toEqual([
      '0:05',
      '29:59',
      '1:02:09',
    ]);
  });
});
