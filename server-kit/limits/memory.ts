import { createMemoryCounter, hashKey, readCounterOptions, takeFrom } from './counter.ts';
import type { Limiter, LimiterOptions } from './limiter.ts';

/**
 * A limiter that counts in this process. Each of several instances allows the whole limit.
 *
 * @throws {CheckoutError} `invalid_options`, naming each option that is wrong
 */
export function createMemoryLimiter(options: LimiterOptions): Limiter {
  const counter = createMemoryCounter(readCounterOptions(options));
  return { take: async (key) => takeFrom(counter, await hashKey(key)) };
}
