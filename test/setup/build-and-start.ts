import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { findChromium } from './browsers.ts';
import { projectFolder, startDemo } from './demo-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the demo. */
    demoUrl: string;
    /** Empty when no browser was found: tests that need one are skipped. */
    chromiumPath: string;
  }
}

/** Builds the package, starts the demo with `npm start` and finds a browser, once for all tests of built files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromiumPath', findChromium() ?? '');
  // First, so that the tests of the types see whether `npm start` keeps the declarations. Another test checks the types.
  await promisify(execFile)('npx', ['tsc', '-p', 'tsconfig.build.json', '--checkers', '1', '--noCheck'], {
    cwd: projectFolder,
  });
  const demo = await startDemo(['npm', 'start']);
  project.provide('demoUrl', demo.url);
  return demo.stop;
}
