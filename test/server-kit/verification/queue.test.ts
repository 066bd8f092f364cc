import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { createBudget } from '../../../server-kit/verification/budget/budget.ts';
import { createVerificationQueue, maxInFlight } from '../../../server-kit/verification/budget/queue.ts';
import { settle } from '../../settle.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { takeElsewhere } from './shared-budget.ts';

/** A queue whose verifications end when the test says so. */
function createQueue({
  maxPerSecond = 10,
  isWanted = () => true,
}: {
  maxPerSecond?: number;
  isWanted?: () => boolean;
} = {}) {
  const clock = createTestClock();
  const store = createMemoryStore({ now: clock.now });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const stopping = new AbortController();
  let draws = 0;
  const queue = createVerificationQueue<string>({
    budget: createBudget({
      store: {
        updateBudget(change) {
          draws++;
          return store.updateBudget(change);
        },
      },
      maxPerSecond,
      now: clock.now,
    }),
    verify: async (reference, { priority }) => {
      started.push(reference);
      await new Promise<void>((resolve) => ends.set(reference, resolve));
      return `${reference} ${priority}`;
    },
    isWanted,
    ...clock,
    random: () => 0,
    stopping: stopping.signal,
  });
  const useUp = () => takeElsewhere(store, 100, maxPerSecond);
  return { queue, clock, store, started, ends, stopping, useUp, draws: () => draws };
}

describe('the queue of verifications', () => {
  it('starts one at once where the budget has a permit', async () => {
    const { queue, ends } = createQueue();
    const { decided, ended } = queue.add('tc_1', 'waiting');
    expect(await decided).toBe('started');
    expect(queue.requestedAtMs('tc_1')).toBeUndefined();
    ends.get('tc_1')?.();
    expect(await ended).toBe('tc_1 waiting');
  });

  it('says so at once where it has none, and starts it when it has, once for all who ask', async () => {
    const { queue, clock, started, useUp } = createQueue({ maxPerSecond: 100 });
    await useUp();
    const [first, second] = [queue.add('tc_1', 'waiting'), queue.add('tc_1', 'waiting')];
    expect([await first.decided, await second.decided]).toEqual(['deferred', 'deferred']);
    expect(await queue.add('tc_2', 'waiting').decided).toBe('deferred');
    expect([queue.clients().length, started]).toEqual([2, []]);
    clock.advance(2000);
    await first.started;
    await settle();
    expect(started).toEqual(['tc_1', 'tc_2']);
  });

  it('lets a payment that a callback names overtake, also one that waits already', async () => {
    const { queue, clock, started, useUp } = createQueue({ maxPerSecond: 1 });
    await useUp();
    for (const reference of ['tc_1', 'tc_2']) queue.add(reference, 'waiting');
    await settle();
    queue.add('tc_2', 'callback');
    clock.advance(1000);
    await settle();
    expect(started).toEqual(['tc_2']);
  });

  it('lets clients take turns, and gives a payment to the first client that waits for it', async () => {
    const { queue, clock, started, useUp } = createQueue({ maxPerSecond: 1 });
    await useUp();
    for (const name of ['tc_1', 'tc_2', 'tc_3', 'tc_4', 'tc_5']) queue.add(name, 'waiting', 'attacker');
    for (const client of [undefined, 'ada', 'attacker']) queue.add('tc_ada', 'waiting', client);
    expect(queue.clients()).toEqual([...Array(5).fill('attacker'), 'ada']);
    await settle();
    for (let second = 0; second < 4; second++) {
      clock.advance(1000);
      await settle();
    }
    expect(started).toEqual(['tc_1', 'tc_2', 'tc_3', 'tc_ada']);
  });

  it('draws nothing while the clock stands still and the budget is used up', async () => {
    const { queue, useUp, draws } = createQueue();
    await useUp();
    for (let index = 0; index < 50; index++) queue.add(`tc_${index}`, 'waiting');
    await settle();
    const drawn = draws();
    for (let index = 0; index < 50; index++) queue.add(`tc_${index}`, 'waiting');
    await settle();
    expect([drawn, draws()]).toEqual([1, 1]);
  });

  it('lets no more run at once than may be in flight, and the next when one has ended', async () => {
    const { queue, started, ends } = createQueue({ maxPerSecond: 10_000 });
    const all = Array.from({ length: maxInFlight + 2 }, (_, index) => queue.add(`tc_${index}`, 'due'));
    await settle();
    expect(started).toHaveLength(maxInFlight);
    expect(await queue.add('tc_more', 'waiting').decided).toBe('deferred');
    ends.get('tc_0')?.();
    await all[0]?.ended;
    await settle();
    expect(started).toHaveLength(maxInFlight + 1);
    queue.startAtOnce();
    await settle();
    expect(started).toHaveLength(maxInFlight + 1);
  });

  it('debits the shared budget for those that start at once', async () => {
    const { queue, store } = createQueue({ maxPerSecond: 100 });
    for (let count = 0; count < 5; count++) queue.startAtOnce();
    await settle();
    // Of the five that the slow start begins with.
    expect(await takeElsewhere(store, 100, 100)).toBe(0);
  });

  it('skips what no shopper waits for any more, and gives its permit to the next', async () => {
    let wanted = false;
    const { queue, clock, started, useUp } = createQueue({ maxPerSecond: 1, isWanted: () => wanted });
    await useUp();
    const gone = queue.add('tc_gone', 'waiting');
    await gone.decided;
    clock.advance(1000);
    await expect(gone.ended).rejects.toThrow('No shopper waits for tc_gone any more.');
    wanted = true;
    expect(await queue.add('tc_1', 'waiting').decided).toBe('started');
    expect(started).toEqual(['tc_1']);
  });

  it('starts what is due even if the shopper who requested it first has gone', async () => {
    const { queue, clock, useUp } = createQueue({ maxPerSecond: 1, isWanted: () => false });
    await useUp();
    queue.add('tc_1', 'waiting');
    const { started } = queue.add('tc_1', 'due');
    await settle();
    clock.advance(1000);
    await started;
  });

  it('rejects what no shopper waits for when it is stopped, and leaves no timer', async () => {
    const { queue, clock, stopping, useUp } = createQueue();
    await useUp();
    const [shopper, due, named] = (['waiting', 'due', 'callback'] as const).map((priority) =>
      queue.add(`tc_${priority}`, priority),
    );
    await settle();
    stopping.abort(new Error('stopped'));
    await expect(due?.started).rejects.toThrow('stopped');
    await expect(named?.started).rejects.toThrow('stopped');
    await expect(queue.add('tc_later', 'callback').started).rejects.toThrow('stopped');
    await settle();
    expect([await shopper?.decided, clock.pending()]).toEqual(['deferred', 0]);
    clock.advance(1000);
    expect(await queue.add('tc_waiting', 'waiting').decided).toBe('deferred');
    await settle();
    expect(queue.requestedAtMs('tc_waiting')).toBeUndefined();
  });

  it('fails those who wait where the store fails, and works again with it', async () => {
    const { queue, store, started } = createQueue();
    const { updateBudget } = store;
    store.updateBudget = () => Promise.reject(new Error('no store'));
    const [first, second] = [queue.add('tc_1', 'waiting'), queue.add('tc_2', 'due')];
    await expect(first.ended).rejects.toThrow('no store');
    await expect(second.started).rejects.toThrow('no store');
    store.updateBudget = updateBudget;
    expect(await queue.add('tc_1', 'waiting').decided).toBe('started');
    expect(started).toEqual(['tc_1']);
  });
});
