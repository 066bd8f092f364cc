import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { ensureChromium } from './chromium.ts';
import { projectFolder, startDemo } from './demo-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the demo. */
    demoUrl: string;
    chromiumPath: string;
  }
}

/** Builds the package, starts the demo with `npm start` and finds a browser, once for all tests of built files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // First, so that the tests of the types see whether `npm start` keeps the declarations.
  await promisify(execFile)('npx', ['tsc', '-p', 'tsconfig.build.json', '--checkers', '1'], {
    cwd: projectFolder,
  });
  const demo = await startDemo(['npm', 'start']);
  project.provide('demoUrl', demo.url);
  try {
    project.provide('chromiumPath', await ensureChromium());
  } catch (error) {
    await demo.stop();
    throw error;
  }
  return demo.stop;
}
