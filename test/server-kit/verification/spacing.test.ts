import { describe, expect, it } from 'vitest';
import { createSpacing } from '../../../server-kit/verification/budget/spacing.ts';

function create({ random = 0 } = {}) {
  let nowMs = 1_000_000;
  const spacing = createSpacing({ verificationIntervalMs: 2000, now: () => nowMs, random: () => random });
  const see = (isNamed: boolean, times: number): void => {
    for (let count = 0; count < times; count++) spacing.seeMoney(isNamed);
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  /** Of one client, for whose payments all shoppers wait. */
  const alone = (payments: number) => ({ payments, perSecond: spacing.shareOf([payments]) });
  const leastMs = (payments: number): number => spacing.leastMs(alone(payments));
  const intervalMs = (payments: number): number => spacing.intervalMs(alone(payments));
  return { ...{ see, pass, leastMs, intervalMs }, shareOf: spacing.shareOf, leastMsOf: spacing.leastMs };
}

describe('the time between two verifications of a payment with a waiting shopper', () => {
  it('is the minimum interval if no callback has come, however many wait', () => {
    const { intervalMs, see } = create();
    expect(intervalMs(5000)).toBe(2000);
    see(false, 3);
    expect(intervalMs(5000)).toBe(2000);
  });

  it('grows with those who wait where callbacks arrive, up to half a minute', () => {
    const { intervalMs, see } = create();
    see(true, 1);
    expect([10, 40, 200, 600, 2000].map(intervalMs)).toEqual([2000, 2000, 10_000, 30_000, 30_000]);
  });

  it('grows only for clients that want more than their share', () => {
    const { shareOf, leastMsOf, see } = create();
    see(true, 1);
    // 20 a second: 2 for the four payments of the first, half of one for each of the others.
    const perSecond = shareOf([600, 4, 1, 1]);
    expect([600, 4, 1].map((payments) => leastMsOf({ payments, perSecond }))).toEqual([30_000, 2000, 2000]);
    expect(perSecond).toBe(20 - 2 - 0.5 - 0.5);
    const crowded = shareOf([600, ...Array.from({ length: 100 }, () => 1)]);
    expect(leastMsOf({ payments: 1, perSecond: crowded })).toBeCloseTo((101 / 20) * 1000);
  });

  it('differs by up to a quarter, so that those who came together do not stay together', () => {
    const { intervalMs, leastMs, see } = create({ random: 0.8 });
    see(true, 1);
    expect([intervalMs(2000), leastMs(2000)]).toEqual([36_000, 30_000]);
  });

  it('is short again when callbacks do not come first any more, and ten minutes after the last one', () => {
    const { intervalMs, see, pass } = create();
    see(true, 20);
    see(false, 6);
    expect(intervalMs(2000)).toBe(30_000);
    see(false, 1);
    expect(intervalMs(2000)).toBe(2000);
    see(true, 40);
    expect(intervalMs(2000)).toBe(30_000);
    pass(600_001);
    expect(intervalMs(2000)).toBe(2000);
  });
});
