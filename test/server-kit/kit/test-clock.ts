import { createTestClock, type TestClock } from '../../../server-kit/testing/test-clock.ts';

export { createTestClock, type TestClock };

/** Lets time pass in small steps, each of which lets everything happen that waits for nothing else. */
export async function pass(clock: TestClock, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 250) {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    clock.advance(250);
  }
}

/** Digests are made on other threads, one after the other: whatever was begun there before this has ended too. */
export async function nextTurn(): Promise<void> {
  await crypto.subtle.digest('SHA-256', new Uint8Array());
  await new Promise((resolve) => setImmediate(resolve));
}
