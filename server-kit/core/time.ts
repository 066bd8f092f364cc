/** Waits, or rejects with the signal's reason, and leaves no timer. A wait in the background does not keep the process alive. */
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
    // In some runtimes a timer is a number.
    if (isInBackground) (timer as { unref?: () => void }).unref?.();
    signal?.addEventListener('abort', onAbort, { once: true });
  });

export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Resolves with the work. After `ms` milliseconds, or when the caller's signal aborts, it rejects and aborts the work's own signal. */
export async function within<T>(
  wait: Wait,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  // Not `AbortSignal.any`, which leaves a listener on a long-lived signal.
  const abort = (): void => limit.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const timeout = wait(ms, limit.signal).then(() => {
    limit.abort(new TimeoutError(`Timed out after ${ms} ms.`));
    throw limit.signal.reason;
  });
  try {
    return await Promise.race([work(limit.signal), timeout]);
  } finally {
    signal?.removeEventListener('abort', abort);
    limit.abort();
  }
}

export type ServiceClock = ReturnType<typeof createServiceClock>;

/** Keeps the service's time. Only a response that contradicts it changes it (no jitter), to the latest possible time: no account is shown too long. */
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
      // Signatures need a timestamp of ten digits (interface, section 5).
      if (!(second >= 1e12 && second < 1e13)) return;
      isKnown = true;
      const latest = second + 999 - sentAt;
      if (offset < second - now() || offset > latest) offset = latest;
    },
    restore(offsetMs: number): void {
      offset = offsetMs;
    },
  };
}
