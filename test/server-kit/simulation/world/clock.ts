import { nextTurn } from '../../kit/test-clock.ts';

type Timer = { atMs: number; act: (() => void) | undefined };

export type VirtualClock = ReturnType<typeof createVirtualClock>;

/** Creates the virtual clock of a simulation. It jumps to the next timer once nothing else can proceed. */
export function createVirtualClock(startMs: number) {
  /** By time, and then in the order in which they were set; the next one is the last. */
  const timers: Timer[] = [];
  let nowMs = startMs;

  const after = (ms: number, act: () => void): (() => void) => {
    const timer: Timer = { atMs: nowMs + Math.max(0, ms), act };
    let [low, high] = [0, timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((timers[middle] as Timer).atMs > timer.atMs) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
    return () => {
      timer.act = undefined;
    };
  };

  return {
    now: () => nowMs,
    after,
    wait: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
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
    /** Runs all timers due up to this time, or until `isOver` returns true. */
    async runUntil(endMs: number, isOver: () => boolean = () => false): Promise<void> {
      // After a turn, every promise that can settle has settled.
      await nextTurn();
      for (let timer = timers.at(-1); timer !== undefined && !isOver(); timer = timers.at(-1)) {
        if (timer.atMs > endMs) break;
        timers.pop();
        if (timer.act === undefined) continue;
        nowMs = Math.max(nowMs, timer.atMs);
        timer.act();
        await nextTurn();
      }
      if (!isOver()) nowMs = Math.max(nowMs, endMs);
    },
  };
}
