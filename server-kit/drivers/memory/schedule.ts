type Entry = { id: string; dueAt: number };

/** Entries that are out of date are dropped when they are due, or when the list has doubled. */
const leastSize = 1000;

/**
 * Creates a list of records by their due time.
 *
 * @param dueAtOf when the record is due now; an entry of another time is out of date
 */
export function createSchedule(dueAtOf: (id: string) => number | null | undefined) {
  let entries: Entry[] = [];
  /** The entries before this one were taken. */
  let first = 0;
  let sizeToTidy = leastSize;

  const isCurrent = ({ id, dueAt }: Entry): boolean => dueAtOf(id) === dueAt;
  const placeOf = (dueAt: number): number => {
    let [from, to] = [first, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((entries[middle]?.dueAt ?? Infinity) <= dueAt) from = middle + 1;
      else to = middle;
    }
    return from;
  };

  return {
    /** Must be called after each change of a record's due time. */
    add(id: string, dueAt: number | null): void {
      if (dueAt === null) return;
      entries.splice(placeOf(dueAt), 0, { id, dueAt });
      if (entries.length <= sizeToTidy) return;
      entries = entries.slice(first).filter(isCurrent);
      first = 0;
      sizeToTidy = 2 * entries.length + leastSize;
    },
    /** Removes and returns the records that are due, the longest overdue first. */
    take(now: number, limit: number): string[] {
      const ids = new Set<string>();
      for (
        let entry = entries[first];
        ids.size < limit && entry !== undefined && entry.dueAt <= now;
        entry = entries[first]
      ) {
        first++;
        if (isCurrent(entry)) ids.add(entry.id);
      }
      return [...ids];
    },
  };
}
