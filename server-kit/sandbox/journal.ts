import type { JournalEntry, Storage } from './storage.ts';

/** The order of all writes. Collections write into it; whoever answers a request waits until they are kept. */
export type Journal = {
  /** What was kept of a collection, oldest first. */
  load: (collection: string) => readonly (readonly [id: string, record: unknown])[];
  write: (entry: JournalEntry) => void;
  /**
   * Resolves when everything written so far is kept. Rejects when it cannot be, and from then on for ever: what is in
   * memory is then more than what would be there after a restart.
   */
  commit: () => Promise<void>;
  /** Calls `listener` once for all that is written in one go, soon after it. */
  onWrite: (listener: () => void) => void;
};

export function createJournal(storage: Storage | undefined): Journal {
  const listeners: (() => void)[] = [];
  let pending: JournalEntry[] = [];
  let isScheduled = false;
  let kept: Promise<void> = Promise.resolve();

  function append(): Promise<void> {
    if (pending.length > 0 && storage !== undefined) {
      const entries = pending;
      kept = kept.then(() => storage.append(entries));
      // Whoever waits for it is told; nobody may be waiting.
      kept.catch(() => {});
    }
    pending = [];
    return kept;
  }

  function afterWrites(): void {
    isScheduled = false;
    append();
    for (const listener of listeners) listener();
  }

  return {
    load: (collection) =>
      (storage?.entries ?? []).flatMap(([name, id, record]) =>
        name === collection ? [[id, record] as const] : [],
      ),
    write(entry) {
      pending.push(entry);
      if (isScheduled) return;
      isScheduled = true;
      queueMicrotask(afterWrites);
    },
    commit: append,
    onWrite: (listener) => void listeners.push(listener),
  };
}
