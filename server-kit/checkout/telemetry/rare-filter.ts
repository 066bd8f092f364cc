export type RareFilterOptions = { now: () => number; random: () => number };

/** Returns whether the entry for a key is to be logged. */
export type RareFilter = (key: string) => boolean;

const dayMs = 24 * 3_600_000;
const pauseMs = 60_000;

/**
 * Creates a filter for entries that strangers can cause. It passes a key once a day, and after each key a pause of 30 to 90
 * seconds. The pause has a random length, so that nobody who invents keys can always be the first after it.
 */
export function createRareFilter({ now, random }: RareFilterOptions): RareFilter {
  const passedAt = new Map<string, number>();
  let pauseEndsAt = 0;
  return (key) => {
    const at = now();
    if (at < pauseEndsAt || at - (passedAt.get(key) ?? -dayMs) < dayMs) return false;
    for (const [old, since] of passedAt) if (at - since >= dayMs) passedAt.delete(old);
    passedAt.set(key, at);
    pauseEndsAt = at + pauseMs * (0.5 + random());
    return true;
  };
}
