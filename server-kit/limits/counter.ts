import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { checkLimiterOptions, type LimiterOptions, type LimiterVerdict } from './limiter.ts';

/** The limit in the words of the counting library. */
export type CounterOptions = {
  points: number;
  duration: number;
  keyPrefix: string;
  inMemoryBlockOnConsumed: number;
};

/** @throws {CheckoutError} `invalid_options` */
export function readCounterOptions(options: LimiterOptions): CounterOptions {
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
export async function takeFrom(counter: RateLimiterAbstract, key: string): Promise<LimiterVerdict> {
  try {
    await counter.consume(key);
    return { allowed: true };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
  }
}
