const hourMs = 3600_000;

/**
 * Whether a round asks about a session: in its first hour each round does, and then one round an hour, because the service limits its
 * callers. However rare the rounds are, none of these hours is left out. Times in milliseconds since the epoch.
 */
export function isDue(createdAt: number, now: number, lastRoundAt: number): boolean {
  const hoursAt = (time: number): number => Math.floor((time - createdAt) / hourMs);
  return hoursAt(now) < 1 || hoursAt(now) > hoursAt(lastRoundAt);
}
