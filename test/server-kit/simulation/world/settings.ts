import type { VirtualClock } from './clock.ts';
import type { Random } from './random.ts';

export type StoreKind = 'memory' | 'sqlite' | 'postgres';

/** What one wave is made of: the same settings always give the same run. */
export type WaveSettings = {
  seed: number;
  /** Which wave of the seed it is, from 0. */
  wave: number;
  /** How many orders it has. */
  orders: number;
  /** How probable each fault is wherever it can happen, from 0 to 1. */
  faults: number;
  /** How many instances of the merchant's server there are. */
  instances: number;
  store: StoreKind;
  /** The order whose story is written down. */
  trace?: string | undefined;
  /** Part of the name of a rule: the others may be broken. */
  rule?: string | undefined;
};

/** What everything in a wave has in common. */
export type World = {
  settings: WaveSettings;
  clock: VirtualClock;
  random: Random;
  times: Times;
  /** The clock of the store, which is nobody else's. */
  storeNow: () => number;
  /** How probable each fault is at the moment: 0 once the storm is over. */
  faults: () => number;
  /** Counts what has happened, by name. */
  count: (what: string, by?: number) => void;
  /** Notes the highest value. */
  peak: (what: string, value: number) => void;
  /** Says which order a reference belongs to, for those who know the reference alone. */
  name: (reference: string, orderId: string) => void;
  /** The order of a reference; `undefined` until it is named. */
  orderOf: (reference: string) => string | undefined;
  /** Notes what happens to an order, or to a payment of it. The text is only built if somebody reads it. */
  note: (subject: string | undefined, text: () => string) => void;
  /** Notes that something is not as it must be. */
  violate: (rule: string, subject: string | undefined, text: string) => void;
};

/** How long things take in a wave. Seconds where nothing else is said. */
export type Times = {
  lateWatchSeconds: number;
  reversalWatchSeconds: number;
  leaseMs: number;
  confirmationSeconds: number;
  /** How long the page of a link waits for money. */
  linkSeconds: number;
  /** How long shoppers arrive, and how long the instances run their rounds; from the start. */
  arrivalMs: number;
  activeMs: number;
  /** When the faults end, and when the wave ends; from the start. */
  stormMs: number;
  endMs: number;
};

export type Violation = { rule: string; orderId: string | undefined; text: string; atMs: number };

export const startMs = Date.UTC(2026, 2, 1, 12);

const minuteMs = 60_000;

/** Short watches, so that many payments can be verified to their end; nothing in the engine depends on their length. */
export function chooseTimes(random: Random): Times {
  const lateWatchSeconds = random.pick([1800, 3600, 5400]);
  const reversalWatchSeconds = random.pick([3600, 5400]);
  const linkSeconds = random.pick([120, 600]);
  const activeMs = 25 * minuteMs;
  // Whatever begins late has its whole watch before the faults end.
  const stormMs = activeMs + (lateWatchSeconds + reversalWatchSeconds) * 1000 + 30 * minuteMs;
  return {
    lateWatchSeconds,
    reversalWatchSeconds,
    leaseMs: random.pick([2000, 5000]),
    confirmationSeconds: random.pick([0, 0, 5, 40]),
    linkSeconds,
    arrivalMs: 15 * minuteMs,
    activeMs,
    stormMs,
    // Retries come after an hour at the latest.
    endMs: stormMs + 180 * minuteMs,
  };
}
