import type { Wait } from '../../client/async/wait.ts';
import type { Client } from '../fairness/fair-queue.ts';
import { createHeldPlaces } from '../fairness/held-places.ts';
import type { Bus } from '../ports/bus.ts';
import type { Counters } from '../telemetry/counters.ts';
import { createWaiter, type Waiter, type WaitLimit } from './waiter.ts';

export type Waiters = ReturnType<typeof createWaiters>;

export type WaitersOptions = {
  bus: Bus;
  now: () => number;
  wait: Wait;
  maxWaiters: number;
  counters: Counters;
};

/** A shopper has one or two tabs, on one or two devices. */
const maxPerReference = 4;

/** How long a waiter keeps its place before it goes to a client that has about as many. */
const turnMs = 5000;

type Entry = { reference: string } & ReturnType<typeof createWaiter>;

/** Creates the places for the requests that this instance holds. */
export function createWaiters({ bus, now, wait, maxWaiters, counters }: WaitersOptions) {
  const byReference = new Map<string, Set<Entry>>();
  const places = createHeldPlaces<Entry>(turnMs);
  let count = 0;
  let isEnded = false;
  let unsubscribe = (): void => {};

  const hear = (reference: string): void => byReference.get(reference)?.forEach((entry) => void entry.hear());
  const all = (): Entry[] => [...byReference.values()].flatMap((entries) => [...entries]);

  const remove = (entry: Entry): void => {
    const entries = byReference.get(entry.reference);
    if (entries?.delete(entry) !== true) return;
    if (entries.size === 0) byReference.delete(entry.reference);
    places.remove(entry);
    count--;
    if (count === 0) unsubscribe();
  };
  const add = (entry: Entry, client: Client): void => {
    const { reference } = entry;
    // One listener for all waiters, so that messages about other payments cost nothing.
    if (count === 0) unsubscribe = bus.subscribe(hear, () => all().forEach((one) => void one.hear()));
    byReference.set(reference, (byReference.get(reference) ?? new Set()).add(entry));
    places.add(entry, client, now());
    count++;
  };
  const cutShort = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    counters.waitersCutShort++;
    remove(entry);
    entry.cutShort();
  };

  return {
    /**
     * Adds a waiter for a payment. At most four wait for the same payment: a fifth cuts the oldest short. If this instance is
     * full, clients take turns: one of the client that has the most is cut short. Returns `undefined` if no turn has ended,
     * or this instance no longer holds requests: respond at once.
     */
    enter(reference: string, client: Client, limit: WaitLimit): Waiter | undefined {
      const [oldest, ...others] = byReference.get(reference) ?? [];
      if (others.length + 1 >= maxPerReference) cutShort(oldest);
      if (!isEnded && count >= maxWaiters) cutShort(places.toReplace(client, now()));
      if (isEnded || count >= maxWaiters) {
        counters.waitersTurnedAway++;
        return undefined;
      }
      const entry: Entry = { reference, ...createWaiter(wait, limit, () => remove(entry)) };
      add(entry, client);
      return entry.waiter;
    },
    /** Cuts all waiters short, and accepts no more. */
    end(): void {
      isEnded = true;
      for (const entry of all()) entry.cutShort();
    },
    count: () => count,
  };
}
