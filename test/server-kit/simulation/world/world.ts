import { createVirtualClock } from './clock.ts';
import { createRandom, type Random } from './random.ts';

/** The settings of one wave. The same settings always give the same run. */
export type WaveSettings = {
  seed: number;
  wave: number;
  orders: number;
  faults: number;
  instances: number;
  tracedOrderId?: string | undefined;
};

type Violation = { rule: string; orderId: string | undefined; text: string; atMs: number };

export const startMs = Date.UTC(2026, 2, 1, 12);

const minuteMs = 60_000;

export type Times = ReturnType<typeof chooseTimes>;

/**
 * Chooses the durations of a wave, and its phases in milliseconds from its start. The watches are short, so that many payments reach
 * the end of theirs. The engine does not depend on their length.
 */
function chooseTimes(random: Random) {
  const lateWatchSeconds = random.pick([1800, 3600, 5400]);
  const reversalWatchSeconds = random.pick([3600, 5400]);
  const linkSeconds = random.pick([120, 600]);
  const roundsEndMs = 25 * minuteMs;
  // Even the last payment's watch ends before the faults do.
  const faultsEndMs = roundsEndMs + (lateWatchSeconds + reversalWatchSeconds) * 1000 + 30 * minuteMs;
  return {
    lateWatchSeconds,
    reversalWatchSeconds,
    leaseMs: random.pick([2000, 5000]),
    confirmationSeconds: random.pick([0, 0, 5, 40]),
    linkSeconds,
    arrivalMs: 15 * minuteMs,
    /** When the instances stop running rounds of their own. */
    roundsEndMs,
    faultsEndMs,
    /** Long enough for the last retries, which are at most an hour apart. */
    endMs: faultsEndMs + 180 * minuteMs,
  };
}

export type World = ReturnType<typeof createWorld>;

export type RunResult = World['result'];

export function createWorld(settings: WaveSettings) {
  const result = {
    counts: {} as Record<string, number>,
    violations: [] as Violation[],
    trace: [] as string[],
  };
  const { counts, violations, trace } = result;
  const random = createRandom(`${settings.seed}/${settings.wave}`);
  const clock = createVirtualClock(startMs);
  const storeOffsetMs = Math.round(random.fork('store').between(-90_000, 90_000));
  const orderOf = new Map<string, string>();
  const toOrder = (subject: string | undefined) =>
    subject === undefined ? undefined : (orderOf.get(subject) ?? subject);
  let { faults } = settings;
  return {
    settings,
    result,
    clock,
    random,
    times: chooseTimes(random.fork('times')),
    faults: () => faults,
    endFaults(): void {
      faults = 0;
    },
    storeNow: () => clock.now() + storeOffsetMs,
    count(name: string, by = 1): void {
      counts[name] = (counts[name] ?? 0) + by;
    },
    name: (reference: string, orderId: string) => void orderOf.set(reference, orderId),
    orderOf: (reference: string) => orderOf.get(reference),
    /** Adds a line to the trace of an order, given by its ID or a reference. `text` is only called for the traced order. */
    note(subject: string | undefined, text: () => string): void {
      if (settings.tracedOrderId === undefined || toOrder(subject) !== settings.tracedOrderId) return;
      trace.push(`${new Date(clock.now()).toISOString().slice(11, 23)}  ${text()}`);
    },
    /** Records that a rule was broken for an order, given by its ID or a reference. */
    violate(rule: string, subject: string | undefined, text: string): void {
      violations.push({ rule, orderId: toOrder(subject), text, atMs: clock.now() });
    },
  };
}
