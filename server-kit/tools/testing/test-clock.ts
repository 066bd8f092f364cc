import * as v from 'valibot';
import { parseOptions } from '../../core/options.ts';
import type { Wait } from '../../core/time.ts';

type Timer = { dueAt: number; ms: number; fire: () => void };

/** A clock that the test moves. Its waits take no real time. */
export type TestClock = {
  /** Milliseconds since the epoch. */
  now: () => number;
  wait: Wait;
  /**
   * Advances the clock and ends the waits that are due by then, earliest first.
   *
   * @throws {CheckoutError} `invalid_options` for anything but a finite number
   */
  advance: (ms: number) => void;
  /** When the next wait ends, in milliseconds since the epoch; infinite for none. */
  nextDueMs: () => number;
  /** Resolves when `count` waits of `ms` are in progress. */
  untilWaiting: (ms: number, count?: number) => Promise<void>;
  /** The number of waits in progress. */
  pending: () => number;
};

const Milliseconds = v.pipe(v.number('must be milliseconds'), v.finite('must be finite'));

/**
 * @param startMs the initial time; default: noon of 1 March 2026 in UTC
 * @throws {CheckoutError} `invalid_options` for anything but a finite number
 */
export function createTestClock(startMs: number = Date.UTC(2026, 2, 1, 12)): TestClock {
  let nowMs = parseOptions(Milliseconds, startMs, 'createTestClock');
  let timers: Timer[] = [];
  let watchers: { isMet: () => boolean; resolve: () => void }[] = [];
  return {
    now: () => nowMs,
    pending: () => timers.length,
    nextDueMs: () => Math.min(...timers.map(({ dueAt }) => dueAt)),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const remove = (): void => {
          timers = timers.filter((one) => one !== timer);
        };
        const end = (settle: () => void) => () => {
          remove();
          signal?.removeEventListener('abort', onAbort);
          settle();
        };
        const onAbort = end(() => reject(signal?.reason));
        const timer = { dueAt: nowMs + ms, ms, fire: end(resolve) };
        signal?.addEventListener('abort', onAbort);
        timers.push(timer);
        for (const watcher of watchers) if (watcher.isMet()) watcher.resolve();
        watchers = watchers.filter((one) => !one.isMet());
      }),
    advance(ms) {
      const endMs = nowMs + parseOptions(Milliseconds, ms, 'advance');
      for (;;) {
        const [next] = timers
          .filter(({ dueAt }) => dueAt <= endMs)
          .sort((left, right) => left.dueAt - right.dueAt);
        if (next === undefined) break;
        nowMs = next.dueAt;
        next.fire();
      }
      nowMs = endMs;
    },
    untilWaiting: (ms, count = 1) =>
      new Promise((resolve) => {
        const isMet = (): boolean => timers.filter((timer) => timer.ms === ms).length >= count;
        if (isMet()) resolve();
        else watchers.push({ isMet, resolve });
      }),
  };
}
