type Entry = { key: string; atMs: number };

/** Keys by the moment at which each is due. What is due next is known without looking at all of them. */
export type Schedule = {
  /** Sets when a key is due, in place of any other moment; infinite for never. */
  set: (key: string, atMs: number) => void;
  /** Takes out the keys that are due by then, the earliest first. */
  takeDue: (nowMs: number) => readonly string[];
  /** When the next one is due; infinite where none is. */
  nextMs: () => number;
};

export function createSchedule(): Schedule {
  const current = new Map<string, Entry>();
  /** The earliest first. What is no longer the current entry of its key is passed over. */
  let entries: Entry[] = [];

  const isCurrent = (entry: Entry): boolean => current.get(entry.key) === entry;

  /** How many entries are due by then. */
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
      // Now and then, because finding one among thousands of the same moment would take as long.
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
