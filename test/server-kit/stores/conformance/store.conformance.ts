import { compareWithMemory } from './memory.conformance.ts';
import { describeOutbox } from './outbox.conformance.ts';
import { describeRecords } from './records.conformance.ts';
import type { MakeStore } from './store-kit.ts';

/** Describes what every store must do, in a test file of Vitest. */
export function describeStore(name: string, makeStore: MakeStore): void {
  describeRecords(name, makeStore);
  describeOutbox(name, makeStore);
  compareWithMemory(name, makeStore);
}
