export type RareFilterOptions = { now: () => number; random: () => number };

const dayMs = 24 * 3_600_000;
const pauseMs = 60_000;

/**
 * Creates a filter for entries that strangers can cause, which returns whether to log the entry for a key. It passes a key once a
 * day, and after each key a pause of 30 to 90 seconds. The pause has a random length, so that a client that invents keys cannot always be
 * the first after it.
 */
export function createRareFilter({ now, random }: RareFilterOptions): (key: string) => boolean {
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
