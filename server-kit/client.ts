import { createCall } from './call.ts';
import { readClientOptions } from './client-options.ts';
import { createDialect, type Dialect } from './dialect.ts';
import { type CheckoutResource, createCheckoutResource } from './resources/checkout.ts';
import { createPaymentsResource, type PaymentsResource } from './resources/payments.ts';
import type { RetryPolicy } from './retry.ts';
import { createServiceClock } from './service-clock.ts';
import { type Wait, waitWithTimer } from './wait.ts';

export type PaymentsClientOptions = {
  /** The service's base address, http(s), with its prefix where it has one: `https://api.example/service`. */
  baseUrl: string;
  /** Signs every request. Stays on the server. */
  apiSecret: string;
  /** Sent as `Authorization: Bearer` where given. */
  apiKey?: string | undefined;
  /** Default: the runtime's own. A sandbox's `fetch` makes the client talk to it without a network. */
  fetch?: typeof globalThis.fetch;
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
  /** For each attempt, the answer's body included. Default: 15,000. */
  timeoutMs?: number;
  /** Default: 3 retries with full jitter, the first pause up to 250 ms, doubling up to 8 s. */
  retry?: Partial<RetryPolicy>;
  /** What the interface leaves open. */
  dialect?: Partial<Dialect>;
  /** Randomness for the jitter, 0 to 1. Default: `Math.random`. */
  random?: () => number;
  /** How to wait between attempts. Default: a timer. */
  wait?: Wait;
};

export type PaymentsClient = {
  payments: PaymentsResource;
  checkout: CheckoutResource;
  /** The time at the service in milliseconds since the epoch, learned from the `Date` of its answers. */
  serviceNow: () => number;
  /** The choices in force. */
  dialect: Readonly<Dialect>;
};

/**
 * A client of the payments service: signed requests, typed answers, typed errors, retries.
 *
 * @throws {PaymentsError} `invalid_options`, saying which one and what to pass instead
 * @throws {TypeError} for a dialect that does not exist
 */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  const { baseUrl, timeoutMs, retry } = readClientOptions(options);
  const { apiSecret, apiKey, now = Date.now, random = Math.random, wait = waitWithTimer } = options;
  const clock = createServiceClock(now);
  const dialect = createDialect(options.dialect);
  const call = createCall({
    baseUrl,
    apiKey,
    apiSecret,
    // Called as a plain function: browsers and workers refuse a fetch that lost its global object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    now,
    wait,
    random,
    clock,
    dialect,
    timeoutMs,
    retry,
  });
  return {
    payments: createPaymentsResource(call),
    checkout: createCheckoutResource(call),
    serviceNow: clock.now,
    dialect,
  };
}
