import type { Wait } from '../core/time.ts';

/** Created once, because the default reason of an abort captures a stack each time. */
export const noLongerNeeded = new Error('The wait is no longer needed.');

/** A signal for a piece of work. `end` must be called in the end: it aborts what is still under way. */
export type Limit = { signal: AbortSignal; end: (reason?: Error) => void };

/**
 * Creates a signal that aborts with the first of several signals, for its reason, or when `end` is called. `end` removes the
 * listeners, which `AbortSignal.any` would leave on long-lived signals.
 */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): Limit {
  const joined = new AbortController();
  const releases = signals.map((signal) => {
    const onAbort = (): void => joined.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    return () => signal?.removeEventListener('abort', onAbort);
  });
  return {
    signal: joined.signal,
    end(reason = noLongerNeeded) {
      for (const release of releases) release();
      joined.abort(reason);
    },
  };
}

/** Creates a signal that aborts with another one, for its reason, and after `ms` milliseconds. `end` clears the timer. */
export function abortAfter(wait: Wait, ms: number, signal?: AbortSignal): Limit {
  const limit = joinSignals(signal);
  wait(ms, limit.signal).then(
    () => limit.end(new Error(`Timed out after ${ms} ms.`)),
    () => {},
  );
  return limit;
}

/** Resolves with `work`, or rejects with the signal's reason if it aborts first. A late result is dropped. */
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

/** Resolves with `work`, or with `undefined` after `ms` milliseconds; rejects when the signal aborts. A late result is dropped. */
export async function resolveWithin<T>(
  wait: Wait,
  ms: number,
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const limit = joinSignals(signal);
  const over = wait(ms, limit.signal).then(() => undefined);
  try {
    return await Promise.race([work, over]);
  } finally {
    limit.end();
  }
}

/** Calls `callback` when the signal aborts, or at once if it already has. */
export function whenAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, { once: true });
}

/** Returns what is left of a period that began at `sinceMs`. A start in the future is from before the clock was set back: it is over. */
export const remainingMs = (sinceMs: number, lengthMs: number, nowMs: number): number =>
  sinceMs > nowMs ? 0 : Math.max(0, sinceMs + lengthMs - nowMs);
