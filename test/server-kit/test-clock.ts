export { createTestClock, type TestClock } from '../../server-kit/testing/test-clock.ts';
