import { describe, expect, it } from 'vitest';
import { createSpacing } from '../../../../server-kit/checkout/verification/spacing.ts';
import { createRandom } from '../../simulation/world/random.ts';

function create(random: () => number = () => 0) {
  let nowMs = 1_000_000;
  const spacing = createSpacing({ verificationIntervalMs: 2000, now: () => nowMs, random });
  const see = (isNamed: boolean, times: number): void => {
    for (let count = 0; count < times; count++) spacing.seeMoney(isNamed);
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  /** Lets shoppers of each client wait for so many payments, and counts them. */
  const crowd = (payments: Record<string, number>): void => {
    for (const [client, count] of Object.entries(payments))
      for (let index = 0; index < count; index++) spacing.ask(`${client}-${index}`, client);
    pass(2000);
  };
  const msUntilDue = (reference: string, client?: string): number =>
    spacing.msLeft(spacing.ask(reference, client));
  const intervalMs = (client: string): number => {
    spacing.begin(`${client}-0`);
    return msUntilDue(`${client}-0`, client);
  };
  return { ...spacing, see, pass, crowd, msUntilDue, intervalMs };
}

describe('the time between two verifications of a payment with a waiting shopper', () => {
  it.each([
    [40, 2000],
    [200, 10_000],
    [10_000, 500_000],
  ])('is $1 ms for %i payments where callbacks arrive, and the minimum elsewhere', (count, ms) => {
    const { intervalMs, crowd, see } = create();
    crowd({ carrier: count });
    see(false, 1);
    expect(intervalMs('carrier')).toBe(2000);
    see(true, 3);
    expect(intervalMs('carrier')).toBeCloseTo(ms, 5);
  });

  it('grows only for clients that want more than their share', () => {
    const { intervalMs, crowd, see } = create();
    see(true, 1);
    crowd({ attacker: 600, ada: 4, obi: 1, uche: 1 });
    // 20 a second, 5 for each of four.
    expect(intervalMs('attacker')).toBeCloseTo((600 / 5) * 1000, 5);
    expect([intervalMs('ada'), intervalMs('obi')]).toEqual([2000, 2000]);
  });

  it('keeps 10,000 who come together at 20 verifications a second, after the first of each', () => {
    const { msUntilDue, begin, pass, see } = create(createRandom('1').next);
    const references = Array.from({ length: 10_000 }, (_, index) => `${index}`);
    const counts: number[] = [];
    for (let passedMs = 0; passedMs < 2_000_000; passedMs += 20_000, pass(20_000)) {
      see(true, 1);
      const due = references.filter((reference) => msUntilDue(reference) === 0);
      for (const reference of due) begin(reference);
      counts.push(due.length);
    }
    expect(counts[0]).toBe(10_000);
    const later = counts.slice(50).reduce((sum, count) => sum + count) / 1000;
    expect(later).toBeGreaterThan(15);
    expect(later).toBeLessThan(21);
  });

  it('counts neither a shopper who has not asked for a minute, nor settled payments, nor those that nobody waits for', () => {
    const { intervalMs, crowd, pass, see, begin } = create();
    see(true, 1);
    crowd({ ada: 400 });
    pass(60_000);
    for (let index = 0; index < 400; index++) begin(`due-${index}`);
    for (let index = 100; index < 200; index++) begin(`ada-${index}`).pace = 'settled';
    crowd({ ada: 200 });
    expect(intervalMs('ada')).toBe(5000);
  });

  it('is forgotten, like an error, once it has passed and nobody waits', () => {
    const { ask, begin, errorOf, pass } = create();
    begin('tc_1').error = 'down';
    pass(2001);
    ask('tc_2');
    expect(errorOf('tc_1')).toBeUndefined();
  });

  it('differs by up to a quarter, so that those who came together do not stay together', () => {
    const { intervalMs, crowd, see } = create(() => 0.8);
    see(true, 1);
    crowd({ carrier: 2000 });
    expect(intervalMs('carrier')).toBeCloseTo(120_000, 5);
  });

  it('is short after a failure, once verifications find the money first, and ten minutes after the last callback', () => {
    const { intervalMs, crowd, see, pass, begin, msUntilDue, doCallbacksArrive } = create();
    crowd({ carrier: 2000 });
    see(true, 100);
    see(false, 5);
    expect([intervalMs('carrier'), doCallbacksArrive()]).toEqual([100_000, true]);
    begin('carrier-1').error = new Error('down');
    expect(msUntilDue('carrier-1')).toBe(2000);
    see(false, 1);
    expect([msUntilDue('carrier-0'), doCallbacksArrive()]).toEqual([2000, false]);
    see(true, 40);
    expect(intervalMs('carrier')).toBe(100_000);
    pass(600_001);
    expect(intervalMs('carrier')).toBe(2000);
  });
});
