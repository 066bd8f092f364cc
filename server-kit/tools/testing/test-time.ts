import * as v from 'valibot';
import type { Checkout } from '../../checkout/checkout.ts';
import { atLeastOneField } from '../../client/api/fields.ts';
import { parseOptions } from '../../client/options/parse-options.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { TestClock } from './test-clock.ts';

const Period = v.optional(
  v.pipe(v.number('must be a number'), v.finite('must be finite'), v.minValue(0, 'must not be negative')),
);

/** The sum of the fields, of which at least one is given. */
const Duration = v.pipe(
  v.strictObject(
    { days: Period, hours: Period, minutes: Period, seconds: Period, ms: Period },
    'must be an object of days, hours, minutes, seconds and ms',
  ),
  atLeastOneField('must name at least one of them'),
);
export type Duration = v.InferInput<typeof Duration>;

export type TestTime = {
  advance: (duration: Duration) => Promise<void>;
  settled: () => Promise<void>;
};

export type TestTimeOptions = {
  checkout: Checkout;
  sandbox: Sandbox;
  clock: TestClock;
  /** Returns the number of callback attempts of the sandbox so far. */
  countDelivered: () => number;
};

// Saved now, because a test may replace the global timers.
const { setImmediate = (run: () => void) => setTimeout(run, 0), setTimeout } = globalThis;

/** Lets all pending microtasks and immediates run. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export function createTestTime({ checkout, sandbox, clock, countDelivered }: TestTimeOptions): TestTime {
  /** Repeats while callbacks arrive, because a handler can cause another callback. */
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
      const endMs = clock.now() + toMs(parseOptions(Duration, duration, 'advance'));
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
