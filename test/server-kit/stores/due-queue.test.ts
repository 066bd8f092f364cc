import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDueQueue } from '../../../server-kit/stores/due-queue.ts';

/** A queue of names whose current times are kept beside it, as the store keeps them in its rows. */
function createNames() {
  const times = new Map<string, number>();
  let comparisons = 0;
  const queue = createDueQueue<string>((name, dueAt) => {
    comparisons++;
    return times.get(name) === dueAt;
  });
  return {
    times,
    comparisons: () => comparisons,
    put(name: string, dueAt: number): void {
      times.set(name, dueAt);
      queue.add(name, dueAt);
    },
    take(now: number): string | undefined {
      const name = queue.take(now);
      if (name !== undefined) times.delete(name);
      return name;
    },
  };
}

/** The earliest that is due, found by looking at each. */
const earliest = (times: ReadonlyMap<string, number>, now: number): number | undefined => {
  const due = [...times.values()].filter((dueAt) => dueAt <= now);
  return due.length === 0 ? undefined : Math.min(...due);
};

describe('a due queue', () => {
  it('gives the earliest each time, by its newest time, whatever was added and taken before', () => {
    const put = fc.record({ name: fc.integer({ min: 0, max: 30 }), dueAt: fc.integer({ min: 0, max: 50 }) });
    const take = fc.record({ now: fc.integer({ min: 0, max: 60 }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(put, take), { maxLength: 300 }), (steps) => {
        const names = createNames();
        for (const step of steps) {
          if ('name' in step) {
            names.put(`n${step.name}`, step.dueAt);
            continue;
          }
          const expected = earliest(names.times, step.now);
          const before = new Map(names.times);
          const taken = names.take(step.now);
          expect(taken === undefined ? undefined : before.get(taken)).toBe(expected);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads only what it returns, and not everything that waits', () => {
    const names = createNames();
    for (let n = 0; n < 900; n++) names.put(`n${n}`, 1000 + ((n * 7919) % 900));
    expect(names.take(999)).toBeUndefined();
    for (let n = 0; n < 10; n++) names.take(5000);
    expect(names.comparisons()).toBe(10);
  });

  it('forgets what is out of date, even if that would be due in a year', () => {
    const names = createNames();
    for (let n = 0; n < 50_000; n++) names.put('often changed', 1_000_000 - n);
    const before = names.comparisons();
    expect(names.take(2_000_000)).toBe('often changed');
    expect(names.take(2_000_000)).toBeUndefined();
    expect(names.comparisons() - before).toBeLessThan(2100);
  });
});
