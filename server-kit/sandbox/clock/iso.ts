/** ISO 8601 in UTC. */
export const toIso = (ms: number): string => new Date(ms).toISOString();

/** When a record changes now: never before its last change, also where the clock was set back. In ISO 8601. */
export const nextUpdatedAt = ({ updatedAt }: { updatedAt: string | null }, nowMs: number): string =>
  toIso(updatedAt === null ? nowMs : Math.max(nowMs, Date.parse(updatedAt)));
