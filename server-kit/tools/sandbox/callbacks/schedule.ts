type Entry = { key: string; atMs: number };

/** Keys ordered by due time, so that finding the next one does not scan all of them. */
export type Schedule = {
  /** Sets when a key is due; infinite removes it. */
  set: (key: string, atMs: number) => void;
  /** Removes and returns the keys due by `nowMs`, earliest first. */
  takeDue: (nowMs: number) => readonly string[];
  /** When the next key is due; infinite for none. */
  nextMs: () => number;
};

export function createSchedule(): Schedule {
  const current = new Map<string, Entry>();
  /** Earliest first. Entries that are no longer current for their key are ignored. */
  let entries: Entry[] = [];

  const isCurrent = (entry: Entry): boolean => current.get(entry.key) === entry;

  /** Counts the entries due by `atMs`. */
  function countUntil(atMs: number): number {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    set(key, atMs) {
      if (current.get(key)?.atMs === atMs) return;
      current.delete(key);
      if (atMs === Number.POSITIVE_INFINITY) return;
      // Outdated entries are removed in bulk: finding one among thousands with the same time is as slow.
      if (entries.length > 2 * current.size + 100) entries = entries.filter(isCurrent);
      const entry = { key, atMs };
      current.set(key, entry);
      entries.splice(countUntil(atMs), 0, entry);
    },
    takeDue(nowMs) {
      const keys = entries
        .splice(0, countUntil(nowMs))
        .filter(isCurrent)
        .map(({ key }) => key);
      for (const key of keys) current.delete(key);
      return keys;
    },
    nextMs() {
      const outdated = entries.findIndex(isCurrent);
      entries.splice(0, outdated === -1 ? entries.length : outdated);
      return entries[0]?.atMs ?? Number.POSITIVE_INFINITY;
    },
  };
}
