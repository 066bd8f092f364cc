import { describe, expect, it } from 'vitest';
import {
  createPriorityQueues,
  type Priority,
} from '../../../server-kit/verification/budget/priority-queues.ts';

/** Queues with so many of each, and the priorities in the order in which they come. */
function fill(counts: Partial<Record<Priority, number>>) {
  const queues = createPriorityQueues<string>(() => undefined);
  for (const [priority, count] of Object.entries(counts) as [Priority, number][])
    for (let index = 0; index < count; index++)
      queues.put(`${priority}-${index}`, priority, `${priority}-${index}`);
  const take = (count: number) =>
    Array.from({ length: count }, () => queues.next()?.[1].split('-')[0] as Priority | undefined);
  return { queues, take };
}

const countOf = (taken: (Priority | undefined)[], priority: Priority): number =>
  taken.filter((one) => one === priority).length;

describe('the queues of verifications', () => {
  it('let payments named by callbacks go first, and leave a quarter to the others', () => {
    const taken = fill({ callback: 100, waiting: 100 }).take(100);
    expect(taken.slice(0, 3)).toEqual(['callback', 'callback', 'callback']);
    expect([countOf(taken, 'callback'), countOf(taken, 'waiting')]).toEqual([75, 25]);
  });

  it('leave a quarter to due payments if no shopper waits, and a quarter of that quarter if one does', () => {
    expect(countOf(fill({ callback: 100, due: 100 }).take(100), 'due')).toBe(25);
    const taken = fill({ callback: 100, waiting: 100, due: 100 }).take(96);
    expect([countOf(taken, 'callback'), countOf(taken, 'waiting'), countOf(taken, 'due')]).toEqual([
      72, 18, 6,
    ]);
  });

  it('leave nothing unused', () => {
    expect(countOf(fill({ callback: 100 }).take(100), 'callback')).toBe(100);
    expect(countOf(fill({ waiting: 3, due: 100 }).take(100), 'due')).toBe(97);
    expect(fill({}).take(1)).toEqual([undefined]);
  });

  it('let the longest unverified go first, however often it is requested', () => {
    const { queues } = fill({ waiting: 3 });
    expect(queues.next()?.[0]).toBe('waiting-0');
    queues.put('waiting-0', 'waiting', 'again');
    expect([queues.next()?.[0], queues.next()?.[0], queues.next()?.[0]]).toEqual([
      'waiting-1',
      'waiting-2',
      'waiting-0',
    ]);
  });

  it('hold each payment once, where it was put last', () => {
    const { queues } = fill({ waiting: 2 });
    queues.put('waiting-1', 'callback', 'named');
    expect(queues.size()).toBe(2);
    expect(queues.next()).toEqual(['waiting-1', 'named']);
    queues.remove('waiting-0');
    expect(queues.next()).toBeUndefined();
  });
});
