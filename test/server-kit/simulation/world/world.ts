import { createVirtualClock } from './clock.ts';
import { createRandom } from './random.ts';
import { startMs, type Times, type Violation, type WaveSettings, type World } from './settings.ts';

/** What a run leaves behind. */
export type RunResult = {
  counts: Record<string, number>;
  peaks: Record<string, number>;
  violations: Violation[];
  /** The story of the traced order, a line each. */
  story: string[];
};

export const emptyResult = (): RunResult => ({ counts: {}, peaks: {}, violations: [], story: [] });

export type WorldOptions = {
  settings: WaveSettings;
  result: RunResult;
  /** How probable each fault is at the moment. */
  faults: () => number;
  /** How long things take, chosen with the randomness of the world. */
  chooseTimes: (random: World['random']) => Times;
};

/** Creates the world of one run, which writes what happens in it to `result`. */
export function createWorld({ settings, result, faults, chooseTimes }: WorldOptions): World {
  const { counts, peaks, violations, story } = result;
  const random = createRandom(`${settings.seed}/${settings.wave}`);
  const clock = createVirtualClock(startMs);
  const storeOffsetMs = Math.round(random.fork('store').between(-90_000, 90_000));
  const orderOf = new Map<string, string>();
  const toOrder = (subject: string | undefined) =>
    subject === undefined ? undefined : (orderOf.get(subject) ?? subject);
  return {
    ...{ settings, clock, random, times: chooseTimes(random.fork('times')), faults },
    storeNow: () => clock.now() + storeOffsetMs,
    count: (what, by = 1) => {
      counts[what] = (counts[what] ?? 0) + by;
    },
    peak: (what, value) => {
      peaks[what] = Math.max(peaks[what] ?? 0, value);
    },
    name: (reference, orderId) => void orderOf.set(reference, orderId),
    orderOf: (reference) => orderOf.get(reference),
    note(subject, text) {
      if (settings.trace === undefined || toOrder(subject) !== settings.trace) return;
      story.push(`${new Date(clock.now()).toISOString().slice(11, 23)}  ${text()}`);
    },
    violate(rule, subject, text) {
      if (!rule.includes(settings.rule ?? '')) return;
      violations.push({ rule, orderId: toOrder(subject), text, atMs: clock.now() });
    },
  };
}
