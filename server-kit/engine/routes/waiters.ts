import type { Wait } from '../../core/time.ts';
import type { Changes } from '../shell/records.ts';
import { type Client, createPlaces } from './places.ts';
import { createWaiter, type Waiter, type WaitLimit } from './waiter.ts';

/** One client may hold this share of the requests: the others still find a place. */
const clientShare = 0.1;

/** Creates the places for the requests that this instance holds. */
export function createWaiters({ changes, maxHeld, wait }: { changes: Changes; maxHeld: number; wait: Wait }) {
  type Entry = ReturnType<typeof createWaiter>;
  const byReference = new Map<string, Set<Entry>>();
  const places = createPlaces({ inAll: maxHeld, perClient: Math.ceil(maxHeld * clientShare) });
  let isEnded = false;
  let isSubscribed = false;

  const all = (): Entry[] => [...byReference.values()].flatMap((entries) => [...entries]);
  const hear = (reference: string | undefined): void => {
    const entries = reference === undefined ? all() : (byReference.get(reference) ?? []);
    for (const entry of entries) entry.hear();
  };
  return {
    /**
     * Adds a waiter for a payment. Returns `undefined` if the client, or this instance, holds as many requests as it may, or no longer
     * holds any: respond at once.
     */
    enter(reference: string, client: Client, limit: WaitLimit): Waiter | undefined {
      const free = isEnded ? undefined : places.take(client);
      if (free === undefined) return undefined;
      // One listener for all waiters, so that changes of other payments cost nothing.
      if (!isSubscribed) changes.subscribe(hear);
      isSubscribed = true;
      const entries = byReference.get(reference) ?? new Set();
      const entry = createWaiter(wait, limit, () => {
        free();
        entries.delete(entry);
        if (entries.size === 0 && byReference.get(reference) === entries) byReference.delete(reference);
      });
      byReference.set(reference, entries.add(entry));
      return entry.waiter;
    },
    /** Cuts all waiters short, and accepts no more. */
    end(): void {
      isEnded = true;
      changes.end();
      for (const entry of all()) entry.cutShort();
    },
    count: places.count,
  };
}
