/** ISO 8601 in UTC. */
export const toIso = (ms: number): string => new Date(ms).toISOString();
