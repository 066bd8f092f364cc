import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { inject, test } from 'vitest';
import { builtServer, type DemoProcess, startDemo } from '../setup/demo-process.ts';

/** Flags that keep a test browser from connecting to anything but the test, and make letters look the same in every Chromium. */
const flags = [
  '--no-sandbox',
  '--font-render-hinting=none',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A test function with one Chromium for each worker. Contexts and demos end with their test. */
export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's dependencies from the pattern
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    if (!inject('chromiumPath')) return undefined;
    // In the locale C, a download would lose a name that is not in ASCII.
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const browser = await chromium.launch({ executablePath: inject('chromiumPath'), args: flags, env });
    onCleanup(() => browser.close());
    return browser;
  })
  /** Opens a new browser profile, with its own cookies and so its own order. Skips the test where there is no browser. */
  .extend('newShopper', ({ browser, skip }, { onCleanup }) => {
    if (!browser) return skip();
    const contexts: BrowserContext[] = [];
    onCleanup(async () => void (await Promise.all(contexts.map((context) => context.close()))));
    return async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
      const context = await browser.newContext({
        viewport: { width: 360, height: 740 },
        // Animations would take a third of the browser's time.
        reducedMotion: 'reduce',
        ...options,
      });
      // Also for a page with everything that it loads.
      context.setDefaultTimeout(30_000);
      contexts.push(context);
      return context;
    };
  })
  /** Starts another demo, for tests that move the clock or break the service. Returns its address. */
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend('startOwnDemo', ({}, { onCleanup }) => {
    const demos: DemoProcess[] = [];
    onCleanup(async () => void (await Promise.all(demos.map((demo) => demo.stop()))));
    return async (env: Record<string, string> = {}): Promise<string> => {
      const demo = await startDemo(builtServer, env);
      demos.push(demo);
      return demo.url;
    };
  });
