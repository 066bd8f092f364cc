/** ISO 8601 in UTC. */
export const toIso = (ms: number): string => new Date(ms).toISOString();

/** Returns the `updatedAt` of a change at `nowMs`: never before the last change, even when the clock was set back. */
export const nextUpdatedAt = ({ updatedAt }: { updatedAt: string | null }, nowMs: number): string =>
  toIso(updatedAt === null ? nowMs : Math.max(nowMs, Date.parse(updatedAt)));
