import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

const { projects: _others, ...shared } = base.test ?? {};

/** What is too slow for `npm test`: whatever is named `*.full.test.ts`. `npm run test:full` runs it, and nothing else. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { tsconfigPaths: true },
  test: {
    ...shared,
    name: 'full',
    include: ['test/**/*.full.test.ts'],
    environment: 'node',
    // The build, the demo and Chromium, as in the project of built files.
    globalSetup: './test/setup/build-and-start.ts',
    // A database that is stopped in one test must not keep the processors from another.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
});
