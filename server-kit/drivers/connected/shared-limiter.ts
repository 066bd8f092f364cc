import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import * as v from 'valibot';
import { hashKey, type Limiter, LimiterOptions, type LimiterVerdict } from '../../checkout/ports/limiter.ts';
import { remainingMs, settleWithin, type Wait, waitWithTimer } from '../../client/async/wait.ts';
import { createErrorReporter, type OnError } from '../../client/errors/report-error.ts';
import { aFunction } from '../../client/options/parse-options.ts';
import { createMemoryLimiter } from '../memory/limiter.ts';

/** The options of a limiter whose counts all instances share. */
export const SharedLimiterOptions = v.strictObject({
  ...LimiterOptions.entries,
  /** Receives failures to reach the counts, at most every ten seconds. Default: `console.error`. */
  onError: v.optional(aFunction<OnError>()),
  /** The local clock, in milliseconds since the epoch. Default: `Date.now`. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** Limits how long a count may take; tests pass their own. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
});
export type SharedLimiterOptions = v.InferInput<typeof SharedLimiterOptions>;
type SharedLimiterSettings = v.InferOutput<typeof SharedLimiterOptions>;

/** Short, because a shopper waits for it. */
const timeoutMs = 1000;
/** How long the service is left alone after a failure, so that an outage does not delay each request. */
const restMs = 10_000;

/**
 * Creates a limiter over a service that may be unavailable: then each instance counts for itself, and tries the service
 * again later.
 *
 * @param open creates the shared counter; called again after a failure
 */
export function createSharedLimiter(
  service: string,
  open: (options: CounterOptions) => Promise<RateLimiterAbstract>,
  { onError, wait, ...counted }: SharedLimiterSettings,
): Limiter {
  const { now, name } = counted;
  const own = createMemoryLimiter(counted);
  const report = createErrorReporter(onError);
  let shared: Promise<RateLimiterAbstract> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  const takeShared = async (key: string): Promise<LimiterVerdict> => {
    shared ??= settleWithin(wait, timeoutMs, open(toCounterOptions(counted))).catch((error) => {
      shared = undefined;
      throw error;
    });
    return consume(await shared, key);
  };
  const isResting = (): boolean => remainingMs(failedAt, restMs, now()) > 0;

  return {
    async take(key) {
      const hashed = await hashKey(key);
      if (isResting()) return own.take(hashed);
      try {
        return await settleWithin(wait, timeoutMs, takeShared(hashed));
      } catch (cause) {
        if (!isResting()) {
          failedAt = now();
          const message = `The limit "${name}" cannot be counted in ${service}; until it can, each instance counts for itself.`;
          report(new Error(message, { cause }));
        }
        return own.take(hashed);
      }
    },
  };
}

/** The limit as rate-limiter-flexible names it. */
export type CounterOptions = ReturnType<typeof toCounterOptions>;

const toCounterOptions = ({ name, limit, perSeconds }: LimiterOptions) => ({
  points: limit,
  duration: perSeconds,
  keyPrefix: `transfer_checkout_${name}`,
  // Refused keys are blocked in this process for the rest of the period, so that a flood does not reach the service.
  inMemoryBlockOnConsumed: limit,
});

/** @throws any failure other than a refusal */
async function consume(counter: RateLimiterAbstract, key: string): Promise<LimiterVerdict> {
  try {
    await counter.consume(key);
    return { allowed: true };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
  }
}
