import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root,
  resolve: { tsconfigPaths: true },
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    // Only a test that hangs is ended by time: a slow machine decides nothing.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    // Many tests wait for a browser or a server: one core less, which is the default, would be half of a small machine.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/{core,model,server-kit,demo}/**/*.test.ts'],
          environment: 'node',
        },
      },
      {
        extends: true,
        test: {
          name: 'views',
          include: ['test/{views,mounts}/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          css: true,
        },
      },
      {
        // Against built files: the package as npm would get it, and the demo in a real browser.
        extends: true,
        test: {
          name: 'built',
          include: ['test/{package,browser,mounting}/**/*.test.ts'],
          environment: 'node',
          globalSetup: './test/setup/build-and-start.ts',
        },
      },
    ],
  },
});
