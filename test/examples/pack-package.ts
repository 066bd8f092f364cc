import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packInto, runTool } from '../package/tool.ts';
import { requireChromium } from '../setup/browsers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the npm package, as it would be published. */
    packedFile: string;
  }
}

/** Builds and packs the package, and finds a browser, once for all examples. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromiumPath', requireChromium());
  // Vitest sets NODE_ENV, which would change the build.
  const { code, output } = await runTool('npm', ['run', 'build'], { env: { NODE_ENV: undefined } });
  if (code !== 0) throw new Error(output);
  const folder = await mkdtemp(join(tmpdir(), 'transfer-checkout-packed-'));
  project.provide('packedFile', (await packInto(folder)).file);
  return () => rm(folder, { recursive: true });
}
