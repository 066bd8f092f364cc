import type { Wait } from '../../../server-kit/core/time.ts';

export type Clock = {
  now: () => number;
  wait: Wait;
  /** Lets time pass until the promise has settled, and returns its value. */
  runUntil: <T>(work: Promise<T>) => Promise<T>;
};

type Timer = { atMs: number; end: () => void };

/** Creates a clock that jumps from timer to timer. */
export function createClock(): Clock {
  let nowMs = 0;
  const timers = new Set<Timer>();
  const wait: Wait = (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = { atMs: nowMs + ms, end: resolve };
      timers.add(timer);
      const stop = (): void => {
        timers.delete(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  const runUntil = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    for (;;) {
      await settled();
      const [next] = [...timers].sort((left, right) => left.atMs - right.atMs);
      if (isOver || next === undefined) return over;
      timers.delete(next);
      nowMs = next.atMs;
      next.end();
    }
  };
  return { now: () => nowMs, wait, runUntil };
}

/** After everything that needs no timer. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
