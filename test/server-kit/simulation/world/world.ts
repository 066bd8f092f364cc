import { createVirtualClock } from './clock.ts';
import { createRandom } from './random.ts';
import { chooseTimes, startMs, type Violation, type WaveSettings, type World } from './settings.ts';

/** The result of a run. */
export type RunResult = {
  counts: Record<string, number>;
  peaks: Record<string, number>;
  violations: Violation[];
  /** A line for each event of the traced order. */
  trace: string[];
};

export const emptyResult = (): RunResult => ({ counts: {}, peaks: {}, violations: [], trace: [] });

export type WorldOptions = {
  settings: WaveSettings;
  result: RunResult;
  /** The current probability of each fault. */
  faults: () => number;
};

/** Creates the world of a run, which collects counts, violations and the trace in `result`. */
export function createWorld({ settings, result, faults }: WorldOptions): World {
  const { counts, peaks, violations, trace } = result;
  const random = createRandom(`${settings.seed}/${settings.wave}`);
  const clock = createVirtualClock(startMs);
  const storeOffsetMs = Math.round(random.fork('store').between(-90_000, 90_000));
  const orderOf = new Map<string, string>();
  const toOrder = (subject: string | undefined) =>
    subject === undefined ? undefined : (orderOf.get(subject) ?? subject);
  return {
    settings,
    clock,
    random,
    times: chooseTimes(random.fork('times')),
    faults,
    storeNow: () => clock.now() + storeOffsetMs,
    count: (name, by = 1) => {
      counts[name] = (counts[name] ?? 0) + by;
    },
    peak: (name, value) => {
      peaks[name] = Math.max(peaks[name] ?? 0, value);
    },
    name: (reference, orderId) => void orderOf.set(reference, orderId),
    orderOf: (reference) => orderOf.get(reference),
    note(subject, text) {
      if (settings.tracedOrderId === undefined || toOrder(subject) !== settings.tracedOrderId) return;
      trace.push(`${new Date(clock.now()).toISOString().slice(11, 23)}  ${text()}`);
    },
    violate(rule, subject, text) {
      violations.push({ rule, orderId: toOrder(subject), text, atMs: clock.now() });
    },
  };
}
