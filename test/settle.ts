import { vi } from 'vitest';

/** Lets everything happen that waits for nothing but its turn. No time passes. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The same, modules that are loaded on demand included. */
export async function settleImports(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await vi.dynamicImportSettled();
    await settle();
  }
}
