import { vi } from 'vitest';

/** Runs everything that is ready. No time passes. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Also waits for dynamic imports. */
export async function settleImports(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await vi.dynamicImportSettled();
    await settle();
  }
}
