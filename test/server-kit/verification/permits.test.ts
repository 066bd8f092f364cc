import { describe, expect, it } from 'vitest';
import type { BudgetState } from '../../../server-kit/stores/store.ts';
import { refusePermits, takePermits } from '../../../server-kit/verification/budget/permits.ts';

const maxPerSecond = 300;

/** A budget on a clock that a test sets. */
function createBudget() {
  let state: BudgetState | undefined;
  let nowMs = Date.UTC(2026, 2, 1);
  const take = (wanted: number, { spent = 0, ahead = 0 } = {}) => {
    const [next, permits] = takePermits(state, { wanted, ahead, spent, maxPerSecond }, nowMs);
    state = next;
    return permits;
  };
  const refuse = ({ sentMsAgo = 0, pauseMs = 0 } = {}) => {
    const [next, result] = refusePermits(state, { sentMsAgo, pauseMs, maxPerSecond }, nowMs);
    state = next;
    return result;
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  /** Wants more than there is for so long, and returns the rate after it. */
  const useUp = (ms: number): number => {
    for (let passedMs = 0; passedMs < ms; passedMs += 20) {
      pass(20);
      take(1000);
    }
    return take(0).ratePerSecond;
  };
  return { take, refuse, pass, useUp };
}

describe('the slow start', () => {
  it('begins at a twentieth of the ceiling, with a second’s worth at once', () => {
    const { take } = createBudget();
    expect(take(100)).toEqual({ granted: 15, retryAfterMs: 67, ratePerSecond: 15 });
  });

  it('doubles the rate each second while the budget is used up, up to the ceiling', () => {
    const { take, useUp } = createBudget();
    take(100);
    expect(useUp(1000)).toBeCloseTo(30, 5);
    expect(useUp(1000)).toBeCloseTo(60, 5);
    expect(useUp(10_000)).toBe(300);
  });

  it('does not raise the rate while less is wanted than there is', () => {
    const { take, pass } = createBudget();
    for (let second = 0; second < 60; second++) {
      pass(1000);
      expect(take(10)).toEqual({ granted: 10, retryAfterMs: 0, ratePerSecond: 15 });
    }
  });

  it('does not count idle time', () => {
    const { take, pass } = createBudget();
    take(100);
    pass(3_600_000);
    expect(take(1).ratePerSecond).toBe(15);
  });
});

describe('a refusal', () => {
  it('lowers the rate by 15 percent', () => {
    expect(createBudget().refuse()).toEqual({ isDecreased: true, ratePerSecond: 12.75 });
  });

  it('lowers it once for all requests that were sent before the decrease could show', () => {
    const { refuse, pass } = createBudget();
    refuse();
    pass(500);
    expect(refuse({ sentMsAgo: 500 })).toEqual({ isDecreased: false, ratePerSecond: 12.75 });
    expect(refuse({ sentMsAgo: 10 })).toMatchObject({ isDecreased: true });
  });

  it('never lowers it below one a second', () => {
    const { refuse, take, pass } = createBudget();
    for (let refusals = 0; refusals < 100; refusals++) {
      pass(1000);
      refuse();
    }
    expect(refuse({ sentMsAgo: -1000 }).ratePerSecond).toBe(1);
    expect(take(5)).toMatchObject({ ratePerSecond: 1 });
    pass(1000);
    expect(take(5).granted).toBe(1);
  });

  it('ends the slow start: the rate then grows by five percent a second', () => {
    const { refuse, useUp } = createBudget();
    refuse();
    expect(useUp(1000)).toBeCloseTo(12.75 * 1.05, 1);
  });

  it('makes growth cautious near the rate of two refusals, until the limit has proved to be another', () => {
    const { refuse, useUp, pass } = createBudget();
    refuse();
    pass(1000);
    refuse();
    const limit = 12.75;
    useUp(2500);
    const near = useUp(20);
    expect(near / limit).toBeGreaterThan(0.9);
    expect(useUp(1000) / near).toBeCloseTo(1.004, 2);
    let rate = near;
    for (let seconds = 0; rate < 1.1 * limit; seconds++) {
      expect(seconds).toBeLessThan(40);
      rate = useUp(1000);
    }
    expect(useUp(1000) / rate).toBeCloseTo(2, 1);
  });

  it('pauses all for as long as it says, a minute at most, and the longest pause counts', () => {
    const { refuse, take, pass } = createBudget();
    refuse({ pauseMs: 3000 });
    refuse({ pauseMs: 1000 });
    expect(take(1)).toMatchObject({ granted: 0, retryAfterMs: 3000 });
    pass(2999);
    expect(take(1)).toMatchObject({ granted: 0, retryAfterMs: 1 });
    pass(1);
    expect(take(5)).toMatchObject({ granted: 1 });
    refuse({ pauseMs: 3_600_000 });
    expect(take(1).retryAfterMs).toBe(60_000);
  });

  it('saves up nothing during the pause', () => {
    const { refuse, take, pass } = createBudget();
    take(15);
    refuse({ pauseMs: 10_000 });
    pass(10_000);
    expect(take(100).granted).toBe(0);
  });
});

describe('permits', () => {
  it('are debited for verifications that started without one, up to a second’s worth', () => {
    const { take, pass } = createBudget();
    expect(take(15, { spent: 10 }).granted).toBe(5);
    take(0, { spent: 1000 });
    pass(1000);
    expect(take(1).granted).toBe(0);
    pass(1000);
    expect(take(15).granted).toBe(15);
  });

  it('that were not needed are given back', () => {
    const { take } = createBudget();
    expect(take(15).granted).toBe(15);
    expect(take(15, { spent: -6 }).granted).toBe(6);
  });

  it('are granted ahead of need only while nobody is short of them', () => {
    const { take, pass } = createBudget();
    expect(take(2, { ahead: 3 })).toMatchObject({ granted: 5, retryAfterMs: 0 });
    expect(take(100).granted).toBe(10);
    pass(200);
    expect(take(1, { ahead: 3 }).granted).toBe(1);
  });

  it('come again after the clock was set back by an hour, also from a pause', () => {
    const { take, refuse, pass } = createBudget();
    refuse({ pauseMs: 30_000 });
    pass(-3_600_000);
    expect(take(1).granted).toBe(1);
    pass(1000);
    expect(take(5).granted).toBeGreaterThan(0);
    expect(refuse()).toMatchObject({ isDecreased: true });
  });
});
