/**
 * Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts, and leaves no timer. A wait
 * in the background does not keep the process alive.
 */
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
    // Where timers are numbers, as in browsers, they keep nothing alive.
    if (isInBackground) (timer as { unref?: () => void }).unref?.();
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** A signal that aborts after `ms` milliseconds, unless `cancel` is called before; `cancel` leaves no timer. */
export function abortAfter(wait: Wait, ms: number): { signal: AbortSignal; cancel: () => void } {
  const over = new AbortController();
  const cancelled = new AbortController();
  wait(ms, cancelled.signal).then(
    () => over.abort(new Error(`${ms} ms are over.`)),
    () => {},
  );
  return { signal: over.signal, cancel: () => cancelled.abort(noLongerNeeded) };
}

/** Why a wait is ended that nobody needs any more. Made once: the default reason is made anew each time, with its stack. */
export const noLongerNeeded = new Error('The wait is no longer needed.');

/**
 * A signal that aborts with the first of several, for its reason. `release` lets go of them: `AbortSignal.any` holds on to a
 * signal that lives long, and grows with each call.
 */
export function joinSignals(...signals: readonly AbortSignal[]): {
  signal: AbortSignal;
  release: () => void;
} {
  const joined = new AbortController();
  const releases = signals.map((signal) => {
    const onAbort = (): void => joined.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  });
  return { signal: joined.signal, release: () => releases.forEach((release) => void release()) };
}

/**
 * Gives `work`, or rejects with the signal's reason when that comes first. For work that may not listen to the
 * signal itself; its late result is dropped.
 */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * Gives `work`, or rejects when it takes longer than `ms` milliseconds, or with the signal's reason as soon as it
 * aborts. The late result is dropped.
 */
export async function settleWithin<T>(
  wait: Wait,
  ms: number,
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { signal: over, cancel } = abortAfter(wait, ms);
  const ended = joinSignals(over, ...(signal === undefined ? [] : [signal]));
  try {
    return await raceAbort(work, ended.signal);
  } catch (error) {
    throw over.aborted ? new Error(`No answer came within ${ms} ms.`) : error;
  } finally {
    ended.release();
    cancel();
  }
}

/** Runs `act` when the signal aborts, or at once when it has. */
export function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

/**
 * How much is left of a time that began at `sinceMs`, in milliseconds; 0 when it is over. A beginning that lies ahead was
 * noted before the clock was set back: it says nothing any more, so that nothing waits for it.
 */
export const remainingMs = (sinceMs: number, lengthMs: number, nowMs: number): number =>
  sinceMs > nowMs ? 0 : Math.max(0, sinceMs + lengthMs - nowMs);
