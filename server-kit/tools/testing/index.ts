/**
 * Test tools for a shop: the payments service in this process, a checkout that uses it with real signatures and callbacks,
 * and a clock that the test controls. They work with every test framework.
 */
export { type CallbackEventName, createCallback, type TestCallbackInput } from './callback.ts';
export { createTestClock, type TestClock } from './test-clock.ts';
export type { TestParts } from './test-parts.ts';
export {
  createTestShop,
  type Duration,
  type TestShop,
  type TestShopInput,
  type TestShopOptions,
} from './test-shop.ts';
