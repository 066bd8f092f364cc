import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { remainingMs, settleWithin, type Wait, waitWithTimer } from '../async/wait.ts';
import { createErrorReporter } from '../errors/report-error.ts';
import {
  checkLimiterOptions,
  hashKey,
  type Limiter,
  type LimiterOptions,
  type LimiterVerdict,
} from './limiter.ts';
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
  const report = createErrorReporter(options.onError);
  const counterOptions = toCounterOptions(options);
  const own = createMemoryLimiter({ ...options, now });
  let shared: Promise<RateLimiterAbstract> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  const takeShared = async (key: string): Promise<LimiterVerdict> => {
    shared ??= settleWithin(wait, answerWithinMs, open(counterOptions)).catch((error) => {
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

/** The limit in the words of the counting library. */
export type CounterOptions = {
  points: number;
  duration: number;
  keyPrefix: string;
  inMemoryBlockOnConsumed: number;
};

/** @throws {CheckoutError} `invalid_options` */
export function toCounterOptions(options: LimiterOptions): CounterOptions {
  checkLimiterOptions(options);
  return {
    points: options.limit,
    duration: options.perSeconds,
    keyPrefix: `transfer_checkout_${options.name}`,
    // Who is refused is refused in this process until the count begins anew: a flood does not reach the service.
    inMemoryBlockOnConsumed: options.limit,
  };
}

/** @throws whatever kept the counter from counting */
export async function consume(counter: RateLimiterAbstract, key: string): Promise<LimiterVerdict> {
  try {
    await counter.consume(key);
    return { allowed: true };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
  }
}
