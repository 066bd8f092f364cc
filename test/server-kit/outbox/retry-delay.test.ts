import { describe, expect, it } from 'vitest';
import { defaultMaxHandlerTries, handlerPauseMs } from '../../../server-kit/outbox/retry-delay.ts';

const dayMs = 24 * 3_600_000;

/** How long a handler that always fails is called, when each jitter is the same. */
const lastsMs = (random: number): number =>
  Array.from({ length: defaultMaxHandlerTries - 1 }, (_, index) => handlerPauseMs(index + 1, random)).reduce(
    (sum, pauseMs) => sum + pauseMs,
  );

describe('the pauses between the tries of a handler', () => {
  it('last three days with the shortest jitter, and under a week with the longest', () => {
    expect(lastsMs(0)).toBeGreaterThan(3 * dayMs);
    expect(lastsMs(0.999_999)).toBeLessThan(7 * dayMs);
  });

  it('begin with a second, and are twice as long each time', () => {
    expect([1, 2, 3, 4].map((failures) => handlerPauseMs(failures, 0.5))).toEqual([750, 1500, 3000, 6000]);
  });

  it('are never longer than an hour, and never shorter than half of what they grow to', () => {
    for (const failures of [12, 13, 100, 1000, 5000]) {
      expect(handlerPauseMs(failures, 0.999_999)).toBeLessThanOrEqual(3_600_000);
      expect(handlerPauseMs(failures, 0)).toBeGreaterThanOrEqual(failures === 12 ? 1_024_000 : 1_800_000);
    }
  });
});
