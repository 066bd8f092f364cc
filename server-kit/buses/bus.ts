import type { Wait } from '../async/wait.ts';

/**
 * - `up`: what is published on any instance is heard here
 * - `down`: nothing is heard; the bus is connecting, or closed
 */
export type BusState = 'up' | 'down';

/**
 * Tells all instances of the server that something about a payment has changed, so that a request which waits on one
 * of them is answered when another has seen it.
 *
 * A bus makes answers fast, and nothing relies on it: it may drop what is published while a connection is broken.
 * Whoever waits also looks into the store every few seconds.
 */
export type Bus = {
  /**
   * Tells the listeners of all instances, this one's too, in the order of the calls. Never rejects: what goes wrong is
   * reported, and sent again when the connection is back. Resolves within two seconds, at once while the bus is down.
   */
  publish: (reference: string) => Promise<void>;
  /**
   * @param onReference called for each reference that is published
   * @param onGap called when references may have been missed: each time that the bus has connected. Look into the store.
   * @returns unsubscribes; both functions are not called afterwards
   */
  subscribe: (onReference: (reference: string) => void, onGap?: () => void) => () => void;
  /** For health checks. A bus that is down costs seconds, not payments. */
  state: () => BusState;
  /** Ends the bus's own connection for good, and forgets all listeners. What is published afterwards goes nowhere. */
  close: () => Promise<void>;
};

export type BusOptions = {
  /**
   * Buses hear each other when their channels have the same name: lower-case letters, digits and `_`, up to 63. Give
   * each shop that shares the service its own. Default: `transfer_checkout`.
   */
  channel?: string;
  /** Hears of broken connections, each cause once an outage, and of listeners that throw. Default: `console.error`. */
  onError?: (error: unknown) => void;
  /** How to wait before reconnecting; tests pass their own. Default: a timer. */
  wait?: Wait;
  /** From 0 up to, not including, 1: spreads the pauses before reconnecting. Default: `Math.random`. */
  random?: () => number;
};
