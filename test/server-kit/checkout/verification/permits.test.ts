import { describe, expect, it } from 'vitest';
import type { BudgetState } from '../../../../server-kit/checkout/ports/store.ts';
import { type BudgetEvent, nextBudget } from '../../../../server-kit/checkout/verification/permits.ts';

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
    pass(3_600_000);
    expect(take(100).ratePerSecond).toBeLessThan(20);
  });

  it('falls by 15 percent, once for all requests that were sent before the decrease could show, to one a second at least', () => {
    const { refuse, take, pass } = createBudget();
    expect(refuse()).toMatchObject({ isDecreased: true, ratePerSecond: 12.75 });
    pass(500);
    expect(refuse({ sentMsAgo: 500 })).toMatchObject({ isDecreased: false, ratePerSecond: 12.75 });
    for (let refusals = 0; refusals < 100; refusals++, pass(1000)) expect(refuse().isDecreased).toBe(true);
    expect(take(5).granted).toBe(1);
    expect(take(0).ratePerSecond).toBeLessThan(1.02);
  });

  it('grows by one percent a second for twenty seconds after a refusal, and then doubles again', () => {
    const { refuse, useUp } = createBudget();
    refuse();
    expect(useUp(1000)).toBeCloseTo(12.75 * 1.01, 5);
    const rate = useUp(18_900);
    expect(rate).toBeCloseTo(12.75 * 1.01 ** 19.9, 5);
    expect(useUp(1100) / rate).toBeCloseTo(2, 1);
  });
});

describe('permits', () => {
  it('end for as long as a refusal says, and the longest pause counts', () => {
    const { refuse, take, pass } = createBudget();
    take(15);
    refuse({ pauseMs: 3000 });
    refuse({ pauseMs: 1000 });
    pass(2999);
    expect(take(1)).toMatchObject({ granted: 0, retryAfterMs: 1 });
    pass(1);
    // Nothing was saved up during the pause.
    expect(take(1)).toMatchObject({ granted: 0, retryAfterMs: 79 });
  });

  it('are saved up for a second until the first refusal, and then for a tenth of one', () => {
    const { take, pass, refuse } = createBudget();
    pass(60_000);
    expect(take(100).granted).toBe(15);
    refuse();
    pass(60_000);
    expect(take(100).granted).toBe(2);
  });

  it('are debited for verifications that started without one, up to a second’s worth', () => {
    const { update, take, pass } = createBudget();
    expect(update({ wanted: 15, spent: 10 }).granted).toBe(5);
    update({ spent: 1000 });
    pass(1000);
    expect(take(1).granted).toBe(0);
    pass(1000);
    expect(take(15).granted).toBe(15);
  });

  it('are granted ahead for a twentieth of a second, while there are enough', () => {
    const { take, useUp, pass } = createBudget();
    expect(useUp(10_000)).toBe(300);
    pass(100);
    expect([take(2), take(0), take(14)]).toMatchObject([{ granted: 17 }, { granted: 0 }, { granted: 13 }]);
  });

  it('come again at once after the clock was set back, by an hour also from a pause', () => {
    const { take, refuse, pass } = createBudget();
    expect(take(14).granted).toBe(14);
    pass(-20_000);
    expect(take(1).granted).toBe(1);
    refuse({ pauseMs: 30_000 });
    pass(-3_600_000);
    take(1);
    pass(1000);
    expect(take(1).granted).toBe(1);
    expect(refuse()).toMatchObject({ isDecreased: true });
  });
});
