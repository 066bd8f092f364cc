import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root,
  resolve: { tsconfigPaths: true },
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    // Long enough for a busy machine, short enough that a broken expectation is reported while the reason is still in mind.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    // Many tests wait for a browser or a server: one core less, which is the default, would be half of a small machine.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/{core,docs,i18n,model,server-kit,demo}/**/*.test.ts'],
          exclude: ['test/**/*.full.test.ts'],
          environment: 'node',
          // Simulations and properties compute for ten seconds, and for more on a busy machine.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'ui',
          include: ['test/{ui,mount}/**/*.test.{ts,tsx}', 'test/demo/**/*.test.tsx'],
          environment: 'happy-dom',
          css: true,
          // Everything happens in this process: a second is long.
          testTimeout: 15_000,
          hookTimeout: 15_000,
          expect: { poll: { timeout: 5000 } },
        },
      },
      {
        // Against built files: the package as npm would get it, and the demo in a real browser.
        extends: true,
        test: {
          name: 'built',
          include: ['test/{package,browser,mounting}/**/*.test.ts'],
          exclude: ['test/**/*.full.test.ts'],
          environment: 'node',
          globalSetup: './test/setup/build-and-start.ts',
          // A test visits dozens of screens, or packs, installs and type-checks the package: a minute or two on a busy
          // machine. Each wait inside it, of the browser or of `expect.poll`, still ends after 15 seconds.
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
