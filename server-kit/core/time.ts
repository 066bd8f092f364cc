/** Waits, or rejects with the signal's reason; leaves no timer. A wait in the background does not keep the process alive. */
export type Wait = (ms: number, signal?: AbortSignal, isInBackground?: boolean) => Promise<void>;

export const waitWithTimer: Wait = (ms, signal, isInBackground = false) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    // Some runtimes have numbers for timers, which keep nothing alive.
    if (isInBackground) (timer as { unref?: () => void }).unref?.();
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** The abort reason of work that took too long. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Created once, because a default reason captures a stack each time. */
const finished = new Error('The work has ended.');

/** Resolves with the work, or rejects after `ms` milliseconds or when the caller's signal aborts. The work's own signal aborts then. */
export async function within<T>(
  wait: Wait,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason), { once: true });
  });
  // Not `AbortSignal.any`, which leaves a listener on a long-lived signal.
  const abort = (): void => limit.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  wait(ms, limit.signal).then(
    () => limit.abort(new TimeoutError(`Timed out after ${ms} ms.`)),
    () => {},
  );
  try {
    return await Promise.race([work(limit.signal), aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
    limit.abort(finished);
  }
}

export type ServiceClock = ReturnType<typeof createServiceClock>;

/**
 * Keeps the offset between the local clock and the service's. It changes only when a response contradicts it, so that a countdown does not
 * jitter, and takes the latest possible time, so that an account is never shown as open for too long.
 */
export function createServiceClock(now: () => number) {
  let offset = 0;
  let isKnown = false;
  return {
    now: () => now() + offset,
    /** How far the service's clock is ahead of the local one, in milliseconds; 0 while unknown. */
    offsetMs: () => offset,
    isKnown: () => isKnown,
    /** Sets the clock by the `Date` of a response (RFC 9110, section 6.6.1); `sentAt` is the local clock when the request was sent. */
    update(date: string | null, sentAt: number): void {
      const second = Date.parse(date ?? '');
      // Other times have no timestamp of ten digits (interface, section 5), so nothing could be signed with them.
      if (!(second >= 1e12 && second < 1e13)) return;
      isKnown = true;
      const latest = second + 999 - sentAt;
      if (offset < second - now() || offset > latest) offset = latest;
    },
    /** Goes back to an earlier offset, if a response turned out not to be trustworthy. */
    restore(offsetMs: number): void {
      offset = offsetMs;
    },
  };
}
