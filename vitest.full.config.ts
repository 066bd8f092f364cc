import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

const { projects: _others, ...shared } = base.test ?? {};

/** `npm run test:full`: the tests that are too slow for `npm test`, named `*.full.test.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { tsconfigPaths: true },
  test: {
    ...shared,
    name: 'full',
    include: ['test/**/*.full.test.ts'],
    environment: 'node',
    globalSetup: './test/setup/build-and-start.ts',
    // Some tests stop a database or load all cores.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
});
