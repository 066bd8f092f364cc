import { computed, type ReadonlySignal, signal } from '@preact/signals';

/** The sandbox's clock between two readings, run on this page's monotonic clock. */
export type SandboxTime = {
  /** Whole seconds since the epoch; `undefined` before the first reading. */
  nowSeconds: ReadonlySignal<number | undefined>;
  /** Takes over a reading: ISO 8601. */
  set: (now: string) => void;
  /** Moves `nowSeconds` on. */
  tick: () => void;
};

/** Differences up to this are the network's, and would make a countdown stutter. */
const toleranceMs = 400;

/** @param monotonicMs milliseconds that never step, such as `performance.now` */
export function createSandboxTime(monotonicMs: () => number): SandboxTime {
  const aheadMs = signal<number | undefined>(undefined);
  const tickMs = signal(monotonicMs());
  return {
    nowSeconds: computed(() =>
      aheadMs.value === undefined ? undefined : Math.floor((tickMs.value + aheadMs.value) / 1000),
    ),
    set(now) {
      const read = Date.parse(now) - monotonicMs();
      if (aheadMs.value === undefined || Math.abs(read - aheadMs.value) > toleranceMs) aheadMs.value = read;
      tickMs.value = monotonicMs();
    },
    tick() {
      tickMs.value = monotonicMs();
    },
  };
}
