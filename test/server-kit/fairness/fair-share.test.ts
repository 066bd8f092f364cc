import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairShare } from '../../../server-kit/fairness/fair-share.ts';

describe('a fair share', () => {
  it('is without limit while there is enough for all', () => {
    expect(fairShare([], 20)).toBe(Infinity);
    expect(fairShare([8, 12], 20)).toBe(Infinity);
  });

  it('is what the others leave to those who want more', () => {
    expect(fairShare([300], 20)).toBe(20);
    expect(fairShare([300, 1], 20)).toBe(19);
    expect(fairShare([1, 300, 3, 300], 20)).toBe(8);
  });

  it('uses the whole capacity, and no more', () => {
    const wanted = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(wanted, fc.double({ min: 0.1, max: 1000, noNaN: true }), (amounts, capacity) => {
        const share = fairShare(amounts, capacity);
        const used = amounts.reduce((sum, amount) => sum + Math.min(amount, share), 0);
        const total = amounts.reduce((sum, amount) => sum + amount, 0);
        expect(used).toBeCloseTo(Math.min(capacity, total), 6);
      }),
    );
  });
});
