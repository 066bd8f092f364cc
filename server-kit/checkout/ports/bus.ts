import * as v from 'valibot';
import { type Wait, waitWithTimer } from '../../client/async/wait.ts';
import type { OnError } from '../../client/errors/report-error.ts';
import { aFunction } from '../../client/options/parse-options.ts';

/**
 * - `up`: notifications from all instances arrive here
 * - `down`: none arrive; the bus is connecting or closed
 */
export type BusState = 'up' | 'down';

/**
 * Notifies all instances of the server that a payment has changed, so that a request waiting on one instance gets a
 * response when another has seen the change.
 *
 * A bus only makes responses faster: it may lose notifications while a connection is broken, and waiting requests also read
 * the store every few seconds.
 */
export type Bus = {
  /**
   * Notifies the subscribers of all instances, including this one, in order. Never rejects: failures are reported, and the
   * reference is sent again after reconnecting. Resolves within two seconds, at once while the bus is down.
   */
  publish: (reference: string) => Promise<void>;
  /**
   * @param onReference called for each published reference
   * @param onGap called each time the bus has connected, because references may have been missed: read the store
   * @returns unsubscribes; neither function is called afterwards
   */
  subscribe: (onReference: (reference: string) => void, onGap?: () => void) => () => void;
  /** For health checks. While a bus is down, responses are later, but no payment is lost. */
  state: () => BusState;
  /** Closes the bus's own connection and removes all subscribers. Later publications are dropped. */
  close: () => Promise<void>;
};

export const BusOptions = v.strictObject({
  /**
   * Instances with the same channel notify each other: 1 to 63 lower-case letters, digits and `_`. Use a different one for
   * each shop on the same service. Default: `transfer_checkout`.
   */
  channel: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9_]{1,63}$/, 'must be 1 to 63 lower-case letters, digits and _')),
    'transfer_checkout',
  ),
  /** Receives lost connections, each cause once per outage, and what subscribers throw. Default: `console.error`. */
  onError: v.optional(aFunction<OnError>()),
  /** Waits before reconnecting; tests pass their own. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
  /** From 0 up to, but not including, 1: the jitter of the pauses before reconnecting. Default: `Math.random`. */
  random: v.optional(aFunction<() => number>(), () => Math.random),
});
export type BusOptions = v.InferInput<typeof BusOptions>;
export type BusSettings = v.InferOutput<typeof BusOptions>;
