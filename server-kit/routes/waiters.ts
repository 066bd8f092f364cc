import { joinSignals, noLongerNeeded, type Wait } from '../async/wait.ts';
import type { Bus } from '../buses/bus.ts';
import type { Counters } from '../telemetry/counters.ts';

/** A request whose answer is held until there is news of one payment. */
export type Waiter = {
  /** Aborts when the answer has to be given now, news or not. */
  cutShort: AbortSignal;
  /**
   * Resolves after `ms`, or when somebody, on whichever instance, has seen something new of the payment. Rejects with the
   * signal's reason.
   */
  untilNews: (ms: number, signal: AbortSignal) => Promise<void>;
  /** To be called in the end. */
  leave: () => void;
};

/** Those who wait on this instance. */
export type Waiters = {
  /**
   * Lets one more wait for a payment. Four may wait for the same: with the fifth, who has waited longest is cut short.
   * `undefined` when as many wait as this instance holds, or none may wait any more: answer at once.
   */
  enter: (reference: string) => Waiter | undefined;
  /** Cuts all short, and lets nobody wait any more. */
  end: () => void;
  count: () => number;
};

export type WaitersOptions = { bus: Bus; wait: Wait; maxWaiters: number; counters: Counters };

/** A shopper has a tab or two, on a phone or two. */
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
    // One listener for all who wait: what is told of others' payments costs nothing.
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
      // What came while nobody waited counts too.
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
