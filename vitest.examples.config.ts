import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

const { projects: _others, ...shared } = base.test ?? {};

/** `npm run test:examples [name...]`: installs, builds and opens the examples, which needs the registry. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    ...shared,
    name: 'examples',
    include: ['test/examples/*.test.ts'],
    environment: 'node',
    globalSetup: './test/examples/pack-package.ts',
    // An installation and a build can take minutes on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
