import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CheckoutError } from '../../src/contract/index.ts';
import { backOffMs } from '../../src/core/back-off.ts';

const passing = new CheckoutError('network_error');

describe('the back-off', () => {
  it('grows with every failure up to half a minute, with full jitter', () => {
    const longest = [1, 2, 3, 4, 5, 9].map((failures) => backOffMs(failures, () => 1, passing));
    expect(longest).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(backOffMs(4, () => 0.25, passing)).toBe(4000);
    expect(backOffMs(4, () => 0, passing)).toBe(0);
  });

  it('is never shorter than Retry-After, believed up to two minutes', () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(1000),
        (failures, random, seconds) => {
          const error = new CheckoutError('rate_limited', 'Wait.', { retryAfterSeconds: seconds });
          const ms = backOffMs(failures, () => random, error);
          expect(ms).toBeGreaterThanOrEqual(Math.min(seconds, 120) * 1000);
          expect(ms).toBeLessThanOrEqual(120_000);
        },
      ),
    );
  });
});
