import { SandboxError } from '../errors.ts';

/** A record as it is stored: plain JSON, or `null` for one that was removed. */
export type StoredRecord = readonly [collection: string, id: string, record: unknown];

/**
 * Keeps the sandbox's records across restarts; their content does not matter to it. `transfer-checkout/sandbox/node` has one
 * in a file.
 */
export type Storage = {
  /** The stored records, oldest first. */
  entries: readonly StoredRecord[];
  /** Stores all of these, or none. Called again only after it has resolved, and never after it has rejected. */
  append: (records: readonly StoredRecord[]) => Promise<void>;
};

export type Writer = ReturnType<typeof createWriter>;

/** Puts all writes in order. Collections write to it; a response waits until its writes are stored. */
export function createWriter(storage: Storage | undefined) {
  const listeners: (() => void)[] = [];
  let pending: StoredRecord[] = [];
  let isScheduled = false;
  let isQueued = false;
  let stored: Promise<void> = Promise.resolve();

  /** Runs one append at a time; writes in the meantime go into the next one together. */
  function append(): Promise<void> {
    if (pending.length === 0 || isQueued) return stored;
    isQueued = true;
    stored = stored.then(async () => {
      const records = pending;
      pending = [];
      isQueued = false;
      await storage?.append(records);
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
    entries: storage?.entries ?? [],
    write(record: StoredRecord): void {
      pending.push(record);
      if (isScheduled) return;
      isScheduled = true;
      queueMicrotask(afterWrites);
    },
    /** Drops the writes that are not yet being stored. Memory keeps their records, so the sandbox must not be used afterwards. */
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
  const message = `The sandbox can no longer store its records and refuses all requests. ${reason} Fix the storage and restart the sandbox.`;
  throw new SandboxError('storage_failed', message);
}
