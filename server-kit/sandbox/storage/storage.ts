/** One write: which record of which collection is now what, or `null` when it is gone. Plain JSON. */
export type JournalEntry = readonly [collection: string, id: string, record: unknown];

/**
 * Where the sandbox keeps its records across restarts. It knows nothing of what is in them, and sees every write in
 * order. `transfer-checkout/sandbox/node` has one that is a file.
 */
export type Storage = {
  /** What was kept, oldest first. */
  entries: readonly JournalEntry[];
  /**
   * Resolves once the entries will be there after the process has been killed: all of them, never some. Called again
   * only after it has resolved, and never after it has rejected.
   */
  append: (entries: readonly JournalEntry[]) => Promise<void>;
};
