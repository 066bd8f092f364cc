import { createTestClock, type TestClock } from '../../../server-kit/tools/testing/test-clock.ts';

export { createTestClock, type TestClock };

/** Advances the clock in small steps, and lets everything that is ready run after each. */
export async function pass(clock: TestClock, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 250) {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    clock.advance(250);
  }
}

/** Runs what is ready now, and what that makes ready without waiting. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
