import { SandboxError } from '../errors/sandbox-error.ts';
import type { JournalEntry, Storage } from './storage.ts';

/** The order of all writes. Collections write into it; whoever answers a request waits until they are kept. */
export type Journal = {
  /** What was kept of a collection, oldest first. */
  load: (collection: string) => readonly (readonly [id: string, record: unknown])[];
  write: (entry: JournalEntry) => void;
  /**
   * Resolves when everything written so far is kept. Rejects with 500 `storage_failed` when it cannot be, and from then
   * on for ever: what is in memory is then more than what would be there after a restart.
   */
  commit: () => Promise<void>;
  /** Calls `listener` once for all that is written in one go, soon after it. */
  onWrite: (listener: () => void) => void;
};

export function createJournal(storage: Storage | undefined): Journal {
  const listeners: (() => void)[] = [];
  let pending: JournalEntry[] = [];
  let isScheduled = false;
  let isQueued = false;
  let kept: Promise<void> = Promise.resolve();

  /** One append at a time: what is written meanwhile goes together into the next. */
  function append(): Promise<void> {
    if (pending.length === 0 || isQueued) return kept;
    isQueued = true;
    kept = kept.then(async () => {
      const entries = pending;
      pending = [];
      isQueued = false;
      await storage?.append(entries);
    });
    // Whoever waits for it is told; nobody may be waiting.
    kept.catch(() => {});
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
    commit: () => append().catch(refuseFromNowOn),
    onWrite: (listener) => void listeners.push(listener),
  };
}

function refuseFromNowOn(cause: unknown): never {
  const said = cause instanceof Error ? cause.message : String(cause);
  throw new SandboxError(
    'storage_failed',
    `The sandbox can no longer keep its records, and answers nothing more. ${said} Correct it and start the sandbox again.`,
  );
}
