import { describe, expect, it } from 'vitest';
import { roundTimeLeft } from '../../../src/widget/model/time-left.ts';

const minute = 60_000;

describe('the announced time left', () => {
  it('changes every three minutes, in the last five every minute, in the last two every thirty seconds', () => {
    const steps: number[] = [];
    for (let left = 15 * minute; left > 0; left -= 1000) {
      const step = roundTimeLeft(left) / minute;
      if (step !== steps.at(-1)) steps.push(step);
    }
    expect(steps).toEqual([15, 12, 9, 6, 5, 4, 3, 2, 1.5, 1, 0.5]);
  });
});
