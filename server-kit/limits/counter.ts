import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { hmacSha512, toHex } from '../hmac.ts';
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

export const createMemoryCounter = (options: CounterOptions): RateLimiterAbstract =>
  new RateLimiterMemory(options);

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

/**
 * A key as it is counted. Hashed, so that it fits wherever it is kept, however long it is and whatever it holds, and
 * so that whoever looks at the counts does not read shoppers' addresses.
 */
export async function hashKey(key: string): Promise<string> {
  return toHex(await hmacSha512('transfer_checkout', key)).slice(0, 32);
}
