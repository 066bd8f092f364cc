import { joinSignals, noLongerNeeded, type Wait } from '../async/wait.ts';
import type { Bus } from '../buses/bus.ts';
import type { Counters } from '../telemetry/counters.ts';

/** A request whose response is held until there is news about one payment. */
export type Waiter = {
  /** Aborts when the response must be sent now, with or without news. */
  cutShort: AbortSignal;
  /** Resolves after `ms`, or when any instance has news about the payment. Rejects with the signal's reason. */
  untilNews: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Must be called in the end. */
  leave: () => void;
};

/** The requests that this instance holds. */
export type Waiters = {
  /**
   * Adds a waiter for a payment. At most four wait for the same payment: a fifth cuts the oldest short. Returns `undefined`
   * if this instance is full, or holds no requests any more: respond at once.
   */
  enter: (reference: string) => Waiter | undefined;
  /** Cuts all waiters short, and accepts no more. */
  end: () => void;
  count: () => number;
};

export type WaitersOptions = { bus: Bus; wait: Wait; maxWaiters: number; counters: Counters };

/** A shopper has one or two tabs, on one or two devices. */
const maxPerReference = 4;

type Entry = { waiter: Waiter; hear: () => void; cut: () => void };

export function createWaiters({ bus, wait, maxWaiters, counters }: WaitersOptions): Waiters {
  const byReference = new Map<string, Set<Entry>>();
  let count = 0;
  let isEnded = false;
  let unsubscribe = (): void => {};

  const hear = (reference: string): void => byReference.get(reference)?.forEach((entry) => void entry.hear());
  const all = (): Entry[] => [...byReference.values()].flatMap((entries) => [...entries]);

  const remove = (reference: string, entry: Entry): void => {
    const entries = byReference.get(reference);
    if (entries?.delete(entry) !== true) return;
    if (entries.size === 0) byReference.delete(reference);
    count--;
    if (count === 0) unsubscribe();
  };
  const add = (reference: string, entry: Entry): void => {
    // One listener for all waiters, so that messages about other payments cost nothing.
    if (count === 0) unsubscribe = bus.subscribe(hear, () => all().forEach((entry) => void entry.hear()));
    byReference.set(reference, (byReference.get(reference) ?? new Set()).add(entry));
    count++;
  };

  return {
    enter(reference) {
      const [oldest, ...others] = byReference.get(reference) ?? [];
      if (oldest !== undefined && others.length + 1 >= maxPerReference) {
        counters.waitersCutShort++;
        remove(reference, oldest);
        oldest.cut();
      }
      if (isEnded || count >= maxWaiters) {
        counters.waitersTurnedAway++;
        return undefined;
      }
      const entry = createEntry(wait, () => remove(reference, entry));
      add(reference, entry);
      return entry.waiter;
    },
    end() {
      isEnded = true;
      for (const entry of all()) entry.cut();
    },
    count: () => count,
  };
}

function createEntry(wait: Wait, leave: () => void): Entry {
  const cutShort = new AbortController();
  let hasNews = false;
  let wake = (): void => {};
  const waiter: Waiter = {
    cutShort: cutShort.signal,
    leave,
    async untilNews(ms, signal) {
      const woken = new AbortController();
      wake = () => woken.abort(noLongerNeeded);
      // News that came between two waits counts too.
      if (hasNews) wake();
      const either = joinSignals(signal, woken.signal);
      await wait(ms, either.signal).catch(() => signal.throwIfAborted());
      either.release();
      hasNews = false;
    },
  };
  const hear = (): void => {
    hasNews = true;
    wake();
  };
  return { waiter, hear, cut: () => cutShort.abort() };
}
