import type { Wait } from '../../../../server-kit/core/time.ts';
import { nextTurn } from '../../kit/test-clock.ts';

/** The virtual clock of a simulation. It jumps to the next timer once nothing else can proceed. */
export type VirtualClock = {
  /** Milliseconds since the epoch. */
  now: () => number;
  wait: Wait;
  /** Calls `act` after `ms` milliseconds. Returns a function that cancels it. */
  after: (ms: number, act: () => void) => () => void;
  /** Runs all timers due up to this time, or until `isOver` returns true. */
  runUntil: (endMs: number, isOver?: () => boolean) => Promise<void>;
  /** Stops the clock during real I/O. Returns a function that resumes it. */
  stop: () => () => void;
  /** The number of timers set so far. */
  events: () => number;
};

type Timer = { atMs: number; order: number; act: (() => void) | undefined };

/** The longest stop, in real milliseconds: the work may itself depend on the clock, as on a lock that a stalled handler holds. */
const patienceMs = 50;

export function createVirtualClock(startMs: number): VirtualClock {
  const timers = createQueue();
  let nowMs = startMs;
  let order = 0;
  let held = 0;

  const after: VirtualClock['after'] = (ms, act) => {
    const timer: Timer = { atMs: nowMs + Math.max(0, ms), order: order++, act };
    timers.push(timer);
    return () => {
      timer.act = undefined;
    };
  };

  /** Resolves once every promise that can settle has settled. */
  const idle = async (): Promise<void> => {
    await nextTurn();
    if (held === 0) return;
    const startedMs = Date.now();
    while (held > 0 && Date.now() - startedMs < patienceMs) await nextTurn();
    await nextTurn();
  };

  return {
    now: () => nowMs,
    after,
    events: () => order,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = (): void => {
          cancel();
          reject(signal?.reason);
        };
        const cancel = after(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    stop() {
      held++;
      let isStopped = true;
      return () => {
        if (isStopped) held--;
        isStopped = false;
      };
    },
    async runUntil(endMs, isOver = () => false) {
      await idle();
      for (let timer = timers.peek(); timer !== undefined && !isOver(); timer = timers.peek()) {
        if (timer.atMs > endMs) break;
        timers.pop();
        if (timer.act === undefined) continue;
        nowMs = Math.max(nowMs, timer.atMs);
        timer.act();
        await idle();
      }
      if (!isOver()) nowMs = Math.max(nowMs, endMs);
    },
  };
}

/** A binary heap of timers, by time and then in the order in which they were set. */
function createQueue() {
  const heap: Timer[] = [];
  const isBefore = (left: Timer, right: Timer): boolean =>
    left.atMs !== right.atMs ? left.atMs < right.atMs : left.order < right.order;
  const at = (index: number): Timer => heap[index] as Timer;
  const swap = (left: number, right: number): void => {
    [heap[left], heap[right]] = [at(right), at(left)];
  };

  return {
    peek: (): Timer | undefined => heap[0],
    push(timer: Timer): void {
      let index = heap.push(timer) - 1;
      for (let up = (index - 1) >> 1; index > 0 && isBefore(timer, at(up)); up = (index - 1) >> 1) {
        swap(index, up);
        index = up;
      }
    },
    pop(): void {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      heap[0] = last;
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2];
        let first = index;
        if (left < heap.length && isBefore(at(left), at(first))) first = left;
        if (right < heap.length && isBefore(at(right), at(first))) first = right;
        if (first === index) return;
        swap(index, first);
        index = first;
      }
    },
  };
}
