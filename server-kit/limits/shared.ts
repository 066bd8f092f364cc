import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { remainingMs } from '../async/remaining.ts';
import { settleWithin, type Wait, waitWithTimer } from '../async/wait.ts';
import { createReport } from '../errors/report-error.ts';
import { type CounterOptions, readCounterOptions, takeFrom } from './counter.ts';
import { hashKey } from './hash-key.ts';
import type { Limiter, LimiterOptions, LimiterVerdict } from './limiter.ts';
import { createMemoryLimiter } from './memory.ts';

/** Options of a limiter that counts for all instances. */
export type SharedLimiterOptions = LimiterOptions & {
  /** Hears that the counts cannot be reached, at most every ten seconds. Default: `console.error`. */
  onError?: (error: unknown) => void;
  /** The local clock in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
  /** How to wait; tests pass their own. Default: a timer. */
  wait?: Wait;
};

/** A shopper waits for it. */
const answerWithinMs = 1000;
/** For so long nobody asks again, so that an outage costs each of them nothing. */
const restMs = 10_000;

/**
 * A limiter over a service that can go away: then each instance counts for itself, and the service is asked again
 * after a while.
 *
 * @param open makes the counter that all instances share; tried again after a failure
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong
 */
export function createSharedLimiter(
  service: string,
  open: (options: CounterOptions) => Promise<RateLimiterAbstract>,
  options: SharedLimiterOptions,
): Limiter {
  const { now = Date.now, wait = waitWithTimer } = options;
  const report = createReport(options.onError);
  const counterOptions = readCounterOptions(options);
  const own = createMemoryLimiter({ ...options, now });
  let shared: Promise<RateLimiterAbstract> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  const takeShared = async (key: string): Promise<LimiterVerdict> => {
    shared ??= settleWithin(wait, answerWithinMs, open(counterOptions)).catch((error) => {
      shared = undefined;
      throw error;
    });
    return takeFrom(await shared, key);
  };
  const isResting = (): boolean => remainingMs(failedAt, restMs, now()) > 0;

  return {
    async take(key) {
      const hashed = await hashKey(key);
      if (isResting()) return own.take(hashed);
      try {
        return await settleWithin(wait, answerWithinMs, takeShared(hashed));
      } catch (cause) {
        if (!isResting()) {
          failedAt = now();
          const message = `The limit "${options.name}" cannot be counted in ${service}; each instance counts for itself until it can.`;
          report(new Error(message, { cause }));
        }
        return own.take(hashed);
      }
    },
  };
}
