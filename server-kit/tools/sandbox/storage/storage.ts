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
   * Resolves once all of the entries, never only some, will survive a killed process. It is called again only after it
   * has resolved, and never after it has rejected.
   */
  append: (entries: readonly JournalEntry[]) => Promise<void>;
};
