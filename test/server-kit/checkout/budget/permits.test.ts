import { describe, expect, it } from 'vitest';
import { type BudgetEvent, nextBudget } from '../../../../server-kit/checkout/budget/permits.ts';
import type { BudgetState } from '../../../../server-kit/checkout/ports/store.ts';

/** A budget of at most 300 a second, on a clock that a test sets. */
function createBudget() {
  let state: BudgetState | undefined;
  let nowMs = Date.UTC(2026, 2, 1);
  const update = (event: BudgetEvent) => {
    const [next, permits] = nextBudget(state, event, { maxPerSecond: 300, nowMs });
    state = next;
    return permits;
  };
  const take = (wanted: number) => update({ wanted });
  const refuse = ({ sentMsAgo = 0, pauseMs = 0 } = {}) => update({ refusal: { sentMsAgo, pauseMs } });
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
  return { update, take, refuse, pass, useUp };
}

describe('the rate', () => {
  it('begins at a twentieth of the ceiling, and doubles each second while the budget is used up, up to the ceiling', () => {
    const { take, useUp } = createBudget();
    expect(take(100)).toEqual({ granted: 15, retryAfterMs: 67, ratePerSecond: 15, isDecreased: false });
    expect(useUp(1000)).toBeCloseTo(30, 5);
    expect(useUp(10_000)).toBe(300);
  });

  it('does not grow while less is wanted than there is, or in idle time', () => {
    const { take, pass } = createBudget();
    for (let second = 0; second < 60; second++) {
      pass(1000);
      expect(take(10)).toMatchObject({ granted: 10, retryAfterMs: 0, ratePerSecond: 15 });
    }
    take(100);
    pass(3_600_000);
    expect(take(1).ratePerSecond).toBe(15);
  });

  it('falls by 15 percent, once for all requests that were sent before the decrease could show, to one a second at least', () => {
    const { refuse, take, pass } = createBudget();
    expect(refuse()).toMatchObject({ isDecreased: true, ratePerSecond: 12.75 });
    pass(500);
    expect(refuse({ sentMsAgo: 500 })).toMatchObject({ isDecreased: false, ratePerSecond: 12.75 });
    for (let refusals = 0; refusals < 100; refusals++, pass(1000)) expect(refuse().isDecreased).toBe(true);
    expect(take(5)).toMatchObject({ ratePerSecond: 1, granted: 1 });
  });

  it('grows by five percent a second after a refusal, and hardly near the rate of two, until the limit has proved to be another', () => {
    const { refuse, useUp } = createBudget();
    refuse();
    expect(useUp(1000)).toBeCloseTo(12.75 * 1.05, 1);
    refuse();
    const limit = 12.75 * 1.05;
    useUp(2500);
    const near = useUp(20);
    expect(near / limit).toBeGreaterThan(0.9);
    expect(useUp(1000) / near).toBeCloseTo(1.004, 2);
    let rate = near;
    for (let seconds = 0; rate < 1.1 * limit; seconds++, rate = useUp(1000)) expect(seconds).toBeLessThan(40);
    expect(useUp(1000) / rate).toBeCloseTo(2, 1);
  });
});

describe('permits', () => {
  it('end for as long as a refusal says, a minute at most, and the longest pause counts', () => {
    const { refuse, take, pass, useUp } = createBudget();
    useUp(10_000);
    pass(1000);
    refuse({ pauseMs: 3000 });
    refuse({ pauseMs: 1000 });
    pass(2999);
    expect(take(1)).toMatchObject({ granted: 0, retryAfterMs: 1 });
    pass(1);
    // One to probe the service; nothing is saved up during a pause.
    expect(take(5)).toMatchObject({ granted: 1 });
    refuse({ pauseMs: 3_600_000 });
    expect(take(1).retryAfterMs).toBe(60_000);
  });

  it('are debited for verifications that started without one, up to a second’s worth, and can be given back', () => {
    const { update, take, pass } = createBudget();
    expect(update({ wanted: 15, spent: 10 }).granted).toBe(5);
    expect(update({ wanted: 5, spent: -3 }).granted).toBe(3);
    update({ spent: 1000 });
    pass(1000);
    expect(take(1).granted).toBe(0);
    pass(1000);
    expect(take(15).granted).toBe(15);
  });

  it('are granted ahead while there are enough for all', () => {
    const { update } = createBudget();
    expect(update({ wanted: 2, ahead: 5 })).toMatchObject({ granted: 7, retryAfterMs: 0 });
    expect(update({ wanted: 2, ahead: 50 })).toMatchObject({ granted: 8, retryAfterMs: 0 });
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
