import type { Mounting } from './mounted-shop.ts';
import { createWorkspace } from './workspace.ts';

/** Runs an example with the project's own packages. */
export const inWorkspace =
  (example: string, ...command: readonly [string, ...string[]]): Mounting =>
  async () => ({ command, ...(await createWorkspace(example)) });
