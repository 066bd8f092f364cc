import type { Checkout } from '../checkout.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { TestClock } from './test-clock.ts';

/** Any of these, added up. */
export type Duration = { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number };

export type TestTime = {
  advance: (duration: Duration) => Promise<void>;
  settled: () => Promise<void>;
};

export type TestTimeOptions = {
  checkout: Checkout;
  sandbox: Sandbox;
  clock: TestClock;
  /** How many callbacks the sandbox has sent so far, each attempt counted. */
  countDelivered: () => number;
};

// Taken now: a test may put its own timers in their place, which then stand still.
const { setImmediate = (run: () => void) => setTimeout(run, 0), setTimeout } = globalThis;

/** Lets everything run that waits for nothing but its turn. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export function createTestTime({ checkout, sandbox, clock, countDelivered }: TestTimeOptions): TestTime {
  /** What a handler does may bring another callback, and that another handler. */
  const settled = async (): Promise<void> => {
    for (let delivered = -1; delivered !== countDelivered(); ) {
      delivered = countDelivered();
      await turn();
      await sandbox.settled();
      await checkout.settled();
      await turn();
      await sandbox.settled();
    }
  };
  return {
    settled,
    async advance(duration) {
      const endMs = clock.now() + toMs(duration);
      for (let dueMs = clock.nextDueMs(); dueMs <= endMs; dueMs = clock.nextDueMs()) {
        clock.advance(dueMs - clock.now());
        await settled();
      }
      clock.advance(endMs - clock.now());
      await settled();
    },
  };
}

function toMs({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
}
