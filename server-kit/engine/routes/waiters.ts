import type { Wait } from '../../core/time.ts';
import type { Changes } from '../shell/records.ts';
import { noLongerNeeded } from '../wait.ts';

/** Identifies a client; kept in memory only. `undefined` if its address is not known. */
export type Client = string | undefined;

/** Creates places: all clients together take at most `inAll`, one client at most `perClient`. An unknown client counts in all only. */
export function createPlaces({ inAll, perClient }: { inAll: number; perClient: number }) {
  const taken = new Map<Client, number>();
  let count = 0;
  return {
    /** Takes a place; returns what frees it again, or `undefined` if there is none. */
    take(client: Client): (() => void) | undefined {
      const own = taken.get(client) ?? 0;
      if (count >= inAll || (client !== undefined && own >= perClient)) return undefined;
      taken.set(client, own + 1);
      count++;
      return () => {
        const left = (taken.get(client) ?? 1) - 1;
        if (left === 0) taken.delete(client);
        else taken.set(client, left);
        count--;
      };
    },
    count: () => count,
  };
}

export type Places = ReturnType<typeof createPlaces>;

/** One client may hold this share of the requests: the others still find a place. */
const clientShare = 0.1;

export type Waiters = ReturnType<typeof createWaiters>;

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
    /** Adds a waiter for a payment. Returns `undefined` if there is no place for the client, or the server stops: respond at once. */
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

/** A wait for a change of one payment. */
export type Waiter = ReturnType<typeof createWaiter>['waiter'];

/** The longest wait, and the signal that aborts when the browser has gone. */
type WaitLimit = { ms: number; signal: AbortSignal };

function createWaiter(wait: Wait, { ms, signal }: WaitLimit, onLeave: () => void) {
  const left = new AbortController();
  let end: 'over' | 'cutShort' | undefined;
  let hasNews = false;
  let wake = (): void => {};
  const endAs = (how: 'over' | 'cutShort'): void => {
    end ??= how;
    wake();
  };
  const endNow = (): void => endAs('over');
  wait(ms, left.signal).then(endNow, () => {});
  if (signal.aborted) endNow();
  else signal.addEventListener('abort', endNow, { once: true });

  const waiter = {
    hasEnded: () => end !== undefined,
    hold: (): 'held' | 'cutShort' => (end === 'cutShort' ? 'cutShort' : 'held'),
    /** Forgets the changes announced so far: call it before each read of the store. */
    forgetNews(): void {
      hasNews = false;
    },
    /** Resolves with `work`; with `undefined` after `forMs`, when a change of the payment is announced, or when the wait has ended. */
    async sleep<T>(forMs: number, work?: Promise<T>): Promise<T | undefined> {
      // Its result may come too late for anybody.
      work?.catch(() => {});
      if (hasNews || end !== undefined) return undefined;
      const woken = new AbortController();
      wake = () => woken.abort(noLongerNeeded);
      const slept = wait(forMs, woken.signal).then(
        () => undefined,
        () => undefined,
      );
      return work === undefined ? slept : Promise.race([work, slept]).finally(wake);
    },
    /** Must be called in the end. */
    leave(): void {
      left.abort(noLongerNeeded);
      signal.removeEventListener('abort', endNow);
      onLeave();
    },
  };
  const hear = (): void => {
    hasNews = true;
    wake();
  };
  return { waiter, hear, cutShort: () => endAs('cutShort') };
}
