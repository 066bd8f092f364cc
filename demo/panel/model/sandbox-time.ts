import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';

/** The sandbox's clock between two readings, run on this page's monotonic clock. */
export type SandboxTime = {
  /** Whole seconds since the epoch; `undefined` before the first reading. */
  nowSeconds: ReadonlySignal<number | undefined>;
  /** Takes over a reading: ISO 8601, and whether the clock stands still there. */
  set: (now: string, isFrozen?: boolean) => void;
  /** Moves `nowSeconds` on. */
  tick: () => void;
};

/** Differences up to this are the network's, and would make a countdown stutter. */
const toleranceMs = 400;

/** @param monotonicMs milliseconds that never step, such as `performance.now` */
export function createSandboxTime(monotonicMs: () => number): SandboxTime {
  const aheadMs = signal<number | undefined>(undefined);
  const tickMs = signal(monotonicMs());
  let isFrozen = false;
  return {
    nowSeconds: computed(() =>
      aheadMs.value === undefined ? undefined : Math.floor((tickMs.value + aheadMs.value) / 1000),
    ),
    set(now, frozen = false) {
      isFrozen = frozen;
      const read = Date.parse(now) - monotonicMs();
      const isNear = aheadMs.value !== undefined && Math.abs(read - aheadMs.value) <= toleranceMs;
      batch(() => {
        if (!isNear || frozen) aheadMs.value = read;
        tickMs.value = monotonicMs();
      });
    },
    tick() {
      if (!isFrozen) tickMs.value = monotonicMs();
    },
  };
}
