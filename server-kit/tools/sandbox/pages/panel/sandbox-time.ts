import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';

/** The sandbox's clock between two readings, based on this page's monotonic clock. */
export type SandboxTime = {
  /** Whole seconds since the epoch; `undefined` before the first reading. */
  nowSeconds: ReadonlySignal<number | undefined>;
  /** Sets the clock to a reading: ISO 8601, and whether the clock is frozen. */
  set: (now: string, isFrozen?: boolean) => void;
  /** Updates `nowSeconds`. */
  tick: () => void;
};

/** Smaller differences are network delay and would make a countdown stutter. */
const toleranceMs = 400;

/** @param monotonicMs milliseconds that never jump, such as `performance.now` */
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
