import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import { createBudget } from '../../../server-kit/verification/budget/budget.ts';
import type { Priority } from '../../../server-kit/verification/budget/priority-queues.ts';
import { createVerificationQueue } from '../../../server-kit/verification/budget/queue.ts';
import { createVirtualClock } from '../simulation/world/clock.ts';
import { createRandom } from '../simulation/world/random.ts';

/**
 * How the service counts: in seconds of the clock, in the second before each request, or with a bucket that is refilled
 * evenly and holds a tenth of a second's worth, or two.
 */
export type Counting = 'fixed' | 'sliding' | 'bucket';

export type ServiceOptions = {
  ratePerSecond: number;
  counting: Counting;
  /** What a refusal says in `Retry-After`, in seconds. */
  retryAfterSeconds?: number;
};

/** Tells of each request whether the service takes it. The rate may change meanwhile. */
export function createLimit(options: ServiceOptions, now: () => number): () => boolean {
  const { counting } = options;
  let taken: number[] = [];
  const sizeOf = (): number => Math.max(2, options.ratePerSecond / 10);
  let bucket = { level: sizeOf(), at: now() };
  if (counting === 'bucket')
    return () => {
      const level = bucket.level + ((now() - bucket.at) * options.ratePerSecond) / 1000;
      bucket = { level: Math.min(level, sizeOf()), at: now() };
      if (bucket.level < 1) return false;
      bucket.level--;
      return true;
    };
  return () => {
    const since = counting === 'fixed' ? Math.floor(now() / 1000) * 1000 : now() - 999;
    taken = taken.filter((at) => at >= since);
    if (taken.length >= options.ratePerSecond) return false;
    taken.push(now());
    return true;
  };
}

export type Demand = {
  /** Payments that shoppers wait for, each wanted again so long after its last verification. */
  waiting: number;
  intervalMs: number;
  /** Payments in a second that callbacks name. */
  callbacksPerSecond?: number;
  /** Whose shoppers wait. */
  client?: string;
};

export type World = ReturnType<typeof createWorld>;

/** Instances with their queues over one store, on a virtual clock, and a service that takes only so much. */
export function createWorld(service: ServiceOptions, { instances = 1, maxPerSecond = 300, seed = '1' } = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 2, 1));
  const random = createRandom(seed);
  const takes = createLimit(service, clock.now);
  const store = createMemoryStore({ now: clock.now });
  const counts = { taken: 0, refused: 0 };
  const stopping = new AbortController();
  /** Takes a moment, as a database does. */
  const slow: Pick<Store, 'updateBudget'> = {
    async updateBudget(change) {
      await clock.wait(random.between(1, 4));
      return store.updateBudget(change);
    },
  };
  const queues = Array.from({ length: instances }, () => {
    const budget = createBudget({ store: slow, maxPerSecond, now: clock.now });
    const verify = async (): Promise<boolean> => {
      const sentAt = clock.now();
      await clock.wait(random.between(2, 10));
      const isTaken = takes();
      counts[isTaken ? 'taken' : 'refused']++;
      await clock.wait(random.between(2, 20));
      if (isTaken) return true;
      const pauseMs = service.retryAfterSeconds === undefined ? 250 : service.retryAfterSeconds * 1000;
      await budget.refuse({ sentMsAgo: clock.now() - sentAt, pauseMs });
      return false;
    };
    const options = { budget, verify, isWanted: () => true, stopping: stopping.signal };
    return createVerificationQueue<boolean>({ ...options, ...clock, random: random.next });
  });
  return { clock, random, store, counts, queues, stop: () => stopping.abort() };
}

/** Keeps up the demand, and notes how long each verification has waited for its start, in milliseconds. */
export function demand(
  { clock, random, queues }: World,
  { waiting, intervalMs, callbacksPerSecond = 0, client }: Demand,
) {
  const waits: Record<Priority, number[]> = { callback: [], waiting: [], due: [] };
  const verify = async (reference: string, priority: Priority, index: number): Promise<void> => {
    const askedAt = clock.now();
    const { started, ended } = (queues[index % queues.length] as (typeof queues)[number]).add(
      reference,
      priority,
      client,
    );
    await started;
    waits[priority].push(clock.now() - askedAt);
    await ended;
  };
  for (let index = 0; index < waiting; index++) {
    const again = (): void => {
      verify(`waiting-${client}-${index}`, 'waiting', index).then(
        () => clock.after(intervalMs, again),
        () => {},
      );
    };
    clock.after(random.between(0, intervalMs), again);
  }
  let called = 0;
  const callBack = (): void => {
    verify(`callback-${called}`, 'callback', called++).catch(() => {});
    clock.after((random.between(0, 2) * 1000) / callbacksPerSecond, callBack);
  };
  if (callbacksPerSecond > 0) callBack();
  return waits;
}

/** Runs for so long, and returns the service's counts of that time. */
export async function measure({ clock, counts }: World, ms: number) {
  Object.assign(counts, { taken: 0, refused: 0 });
  await clock.runUntil(clock.now() + ms);
  return {
    takenPerSecond: (counts.taken * 1000) / ms,
    refusedShare: counts.refused / (counts.taken + counts.refused),
  };
}
