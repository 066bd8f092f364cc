import * as v from 'valibot';
import type { PaymentsError } from '../errors/payments-error.ts';
import { aFunction, parseOptions } from './parse-options.ts';

export const Milliseconds = v.pipe(
  v.number(),
  v.safeInteger('must be whole milliseconds'),
  v.minValue(1, 'must be at least 1'),
  v.maxValue(600_000, 'must be at most 600000'),
);

export const RetryCount = v.pipe(
  v.number(),
  v.safeInteger('must be a whole number'),
  v.minValue(0, 'must be at least 0'),
  v.maxValue(20, 'must be at most 20'),
);

/** The options of one call. */
export const CallOptions = v.strictObject({
  /** Aborts the call with its retries and pauses; for a list, also its loops. */
  signal: v.optional(v.instance(AbortSignal, 'must be an AbortSignal')),
  /** The timeout of each attempt, including its body, in milliseconds: 1 to 600,000. Default: the client's. */
  timeoutMs: v.optional(Milliseconds),
  /** How many times the call may be sent again: 0 to 20. Default: the client's `retry.maxRetries`. */
  maxRetries: v.optional(RetryCount),
  /** Called before each retry with the failure; return false to throw the failure instead. */
  shouldRetry: v.optional(aFunction<(error: PaymentsError) => boolean>()),
});
export type CallOptions = v.InferInput<typeof CallOptions>;

/** @throws {CheckoutError} `invalid_options`, naming each invalid or unknown option */
export const checkCallOptions = (operation: string, options: CallOptions): CallOptions =>
  parseOptions(CallOptions, options, operation);
