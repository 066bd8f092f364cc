/**
 * How much is left of a time that began at `sinceMs`, in milliseconds; 0 when it is over. A beginning that lies ahead was
 * noted before the clock was set back: it says nothing any more, so that nothing waits for it.
 */
export const remainingMs = (sinceMs: number, lengthMs: number, nowMs: number): number =>
  sinceMs > nowMs ? 0 : Math.max(0, sinceMs + lengthMs - nowMs);
