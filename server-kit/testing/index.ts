/**
 * For the tests of a shop: the payments service in this process, a checkout that talks to it with real signatures and
 * callbacks, and a clock that moves when the test says so. No test framework is needed, and none is imported.
 */
export { type CallbackEventName, createCallback, type TestCallbackInput } from './callback.ts';
export { createTestClock, type TestClock } from './test-clock.ts';
export {
  createTestShop,
  type TestParts,
  type TestShop,
  type TestShopInput,
  type TestShopOptions,
} from './test-shop.ts';
export type { Duration } from './test-time.ts';
