import { createBudget } from '../../../../server-kit/checkout/verification/budget.ts';
import { createQueue } from '../../../../server-kit/checkout/verification/queue.ts';
import { createVirtualClock } from '../../simulation/world/clock.ts';
import { createRandom } from '../../simulation/world/random.ts';
import { createBudgetStore } from './shared-budget.ts';

/** How a service counts: in seconds of the clock, in the second before each request, or with a bucket of a tenth of a second’s worth. */
export type Counting = 'fixed' | 'sliding' | 'bucket';
export type Limit = { ratePerSecond: number; counting: Counting; retryAfterSeconds?: number | undefined };

/** Returns whether the service takes each request. The rate may change in between. */
function createLimit(limit: Limit, now: () => number): () => boolean {
  const bucketSize = (): number => Math.max(2, limit.ratePerSecond / 10);
  let taken: number[] = [];
  let bucket = { level: bucketSize(), at: now() };
  return () => {
    const level = bucket.level + ((now() - bucket.at) * limit.ratePerSecond) / 1000;
    bucket = { level: Math.min(level, bucketSize()), at: now() };
    const since = limit.counting === 'fixed' ? Math.floor(now() / 1000) * 1000 : now() - 999;
    taken = taken.filter((at) => at >= since);
    const isTaken = limit.counting === 'bucket' ? bucket.level >= 1 : taken.length < limit.ratePerSecond;
    if (isTaken) {
      taken.push(now());
      bucket.level--;
    }
    return isTaken;
  };
}

/** Instances with a budget in one store, on a virtual clock, and a service that takes only so much. */
export function createWorld(limit: Limit, { instances = 1, seed = '1' } = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 2, 1));
  const random = createRandom(seed);
  const takes = createLimit(limit, clock.now);
  const store = createBudgetStore(clock.now);
  const stopping = new AbortController();
  let counts = { taken: 0, refused: 0, waitsMs: [] as number[] };
  const updateBudget: typeof store.updateBudget = async (change) => {
    // As long as a database takes.
    await clock.wait(random.between(1, 4));
    return store.updateBudget(change);
  };
  const all = Array.from({ length: instances }, () => {
    const budget = createBudget({ store: { updateBudget }, maxPerSecond: 300, now: clock.now });
    const run = async (): Promise<void> => {
      const sentAt = clock.now();
      await clock.wait(random.between(2, 10));
      const isTaken = takes();
      counts[isTaken ? 'taken' : 'refused']++;
      await clock.wait(random.between(2, 20));
      const pauseMs = (limit.retryAfterSeconds ?? 0.25) * 1000;
      if (!isTaken) await budget.refuse({ sentMsAgo: clock.now() - sentAt, pauseMs });
    };
    const queue = createQueue<void>({
      budget,
      run,
      isWanted: () => true,
      wait: clock.wait,
      stopping: stopping.signal,
    });
    return queue;
  });
  const keepVerifying = async (reference: string, queue: (typeof all)[number]): Promise<void> => {
    for (;;) {
      await clock.wait(2000);
      const askedAt = clock.now();
      const { begun } = queue.add(reference, 'waiting');
      const { work } = await begun;
      counts.waitsMs.push(clock.now() - askedAt);
      await work;
    }
  };
  return {
    /** Lets shoppers wait for payments, each wanted again two seconds after its last verification. */
    async keepWaiting(payments: number): Promise<void> {
      for (let index = 0; index < payments; index++) {
        keepVerifying(`tc_${index}`, all[index % all.length] as (typeof all)[number]);
        await clock.wait(random.between(0, 4000 / payments));
      }
    },
    /** Runs for so long, and returns what has happened in that time. */
    async measure(ms: number) {
      counts = { taken: 0, refused: 0, waitsMs: [] };
      await clock.runUntil(clock.now() + ms);
      const { taken, refused } = counts;
      return { ...counts, takenPerSecond: (taken * 1000) / ms, refusedShare: refused / (taken + refused) };
    },
  };
}
