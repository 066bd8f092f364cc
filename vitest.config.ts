import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Tests of the widget's parts that need no DOM. */
const withoutDom = 'test/widget/description/**/*.test.ts';

/** Tests of the widget in an emulated DOM. */
const ui: TestProjectInlineConfiguration['test'] = {
  environment: 'happy-dom',
  setupFiles: ['./test/setup/leave-page.ts'],
  css: true,
  testTimeout: 15_000,
  hookTimeout: 15_000,
  expect: { poll: { timeout: 5000 } },
};

export default defineConfig({
  root,
  resolve: { tsconfigPaths: true },
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
    // The browsers' fonts are the project's own, not those of the machine.
    env: { FONTCONFIG_FILE: `${root}test/setup/fonts.conf` },
    // One more than there are cores, because browser tests also wait.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            'test/{contract,core,docs,fuzz,i18n,options,server-kit,setup,source,demo}/**/*.test.ts',
            withoutDom,
          ],
          exclude: ['test/**/*.full.test.ts'],
          environment: 'node',
          setupFiles: ['./test/setup/property-seed.ts'],
          // The files of a worker share what they import, here and below, which halves the run. No module keeps state that a
          // test could leave behind.
          isolate: false,
          // Simulations and property tests compute for ten seconds, and for minutes on a busy machine.
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          ...ui,
          name: 'ui',
          include: ['test/{widget,entry}/**/*.test.{ts,tsx}', 'test/demo/**/*.test.tsx'],
          exclude: ['test/**/*.alone.test.{ts,tsx}', withoutDom],
          isolate: false,
        },
      },
      {
        // Those that replace a module, or define the element themselves.
        extends: true,
        test: { ...ui, name: 'ui-alone', include: ['test/{widget,entry}/**/*.alone.test.{ts,tsx}'] },
      },
      {
        // Tests of built files: the npm package, and the demo in a real browser.
        extends: true,
        test: {
          name: 'built',
          include: ['test/{package,browser,mounting}/**/*.test.ts'],
          exclude: ['test/**/*.full.test.ts'],
          environment: 'node',
          globalSetup: './test/setup/build-and-start.ts',
          // The files of a worker share its Chromium, too.
          isolate: false,
          // More pages at once only make each other slow.
          maxConcurrency: 3,
          // One test can visit dozens of screens or install the package. Each wait inside it still ends after 30 seconds.
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
