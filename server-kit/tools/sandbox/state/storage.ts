import { SandboxError } from '../errors/sandbox-error.ts';

/** One write, as plain JSON: the new record of a collection, or `null` for a removed one. */
export type JournalEntry = readonly [collection: string, id: string, record: unknown];

/**
 * Stores the sandbox's records across restarts. It receives every write in order and does not depend on the content.
 * `transfer-checkout/sandbox/node` has a storage in a file.
 */
export type Storage = {
  /** The stored entries, oldest first. */
  entries: readonly JournalEntry[];
  /**
   * Stores all of the entries, or none. It is called again only after it has resolved, and never after it has rejected.
   */
  append: (entries: readonly JournalEntry[]) => Promise<void>;
};

export type Journal = ReturnType<typeof createJournal>;

/** Puts all writes in order. Collections write to it; a response waits until its writes are stored. */
export function createJournal(storage: Storage | undefined) {
  const listeners: (() => void)[] = [];
  let pending: JournalEntry[] = [];
  let isScheduled = false;
  let isQueued = false;
  let stored: Promise<void> = Promise.resolve();

  /** Runs one append at a time; writes in the meantime go into the next one together. */
  function append(): Promise<void> {
    if (pending.length === 0 || isQueued) return stored;
    isQueued = true;
    stored = stored.then(async () => {
      const entries = pending;
      pending = [];
      isQueued = false;
      await storage?.append(entries);
    });
    // `commit` reports the failure; without a caller it would be an unhandled rejection.
    stored.catch(() => {});
    return stored;
  }

  function afterWrites(): void {
    isScheduled = false;
    append();
    for (const listener of listeners) listener();
  }

  return {
    /** Returns the stored entries of a collection, oldest first. */
    load: (collection: string): readonly (readonly [id: string, record: unknown])[] =>
      (storage?.entries ?? []).flatMap(([name, id, record]) =>
        name === collection ? [[id, record] as const] : [],
      ),
    write(entry: JournalEntry): void {
      pending.push(entry);
      if (isScheduled) return;
      isScheduled = true;
      queueMicrotask(afterWrites);
    },
    /** Drops the writes that are not yet being stored. Memory keeps their records, so it must not be used afterwards. */
    discard(): void {
      pending = [];
    },
    /**
     * Resolves when all writes so far are stored. Rejects with 500 `storage_failed` when the storage fails, and always from
     * then on, because memory then holds more than a restart would restore.
     */
    commit: (): Promise<void> => append().catch(refuseFromNowOn),
    /** Calls `listener` once after each group of synchronous writes. */
    onWrite: (listener: () => void): void => void listeners.push(listener),
  };
}

function refuseFromNowOn(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new SandboxError(
    'storage_failed',
    `The sandbox can no longer store its records and refuses all requests. ${reason} Fix the storage and restart the sandbox.`,
  );
}
