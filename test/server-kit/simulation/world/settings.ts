import type { VirtualClock } from './clock.ts';
import type { Random } from './random.ts';

/** The settings of one wave. The same settings always give the same run. */
export type WaveSettings = {
  seed: number;
  /** The index of the wave, from 0. */
  wave: number;
  /** The number of orders. */
  orders: number;
  /** The probability of each fault, from 0 to 1. */
  faults: number;
  /** The number of instances of the merchant's server. */
  instances: number;
  /** The order to trace. */
  tracedOrderId?: string | undefined;
};

/** The context that all parts of a run share. */
export type World = {
  settings: WaveSettings;
  clock: VirtualClock;
  random: Random;
  times: Times;
  /** The store's own clock. */
  storeNow: () => number;
  /** The current probability of each fault. */
  faults: () => number;
  /** Adds to the count with this name. */
  count: (name: string, by?: number) => void;
  /** Keeps the highest value with this name. */
  peak: (name: string, value: number) => void;
  /** Registers the order of a reference. */
  name: (reference: string, orderId: string) => void;
  /** The order of a reference; undefined until it is registered. */
  orderOf: (reference: string) => string | undefined;
  /** Adds a line to the trace of an order, given by its ID or a reference. `text` is only called for the traced order. */
  note: (subject: string | undefined, text: () => string) => void;
  /** Records that a rule was broken for an order, given by its ID or a reference. */
  violate: (rule: string, subject: string | undefined, text: string) => void;
};

/** The durations of a wave, and its phases in milliseconds from its start. */
export type Times = {
  lateWatchSeconds: number;
  reversalWatchSeconds: number;
  leaseMs: number;
  confirmationSeconds: number;
  /** The lifetime of a link. */
  linkSeconds: number;
  /** When the last shopper arrives. */
  arrivalMs: number;
  /** When the instances stop running rounds of their own. */
  roundsEndMs: number;
  /** When the faults end. */
  faultsEndMs: number;
  /** When the wave ends. */
  endMs: number;
};

export type Violation = { rule: string; orderId: string | undefined; text: string; atMs: number };

export const startMs = Date.UTC(2026, 2, 1, 12);

const minuteMs = 60_000;

/** Chooses short watches, so that many payments reach the end of theirs. The engine does not depend on their length. */
export function chooseTimes(random: Random): Times {
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
    roundsEndMs,
    faultsEndMs,
    // Long enough for the last retries, which are at most an hour apart.
    endMs: faultsEndMs + 180 * minuteMs,
  };
}
