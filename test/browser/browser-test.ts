import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { inject, test } from 'vitest';
import { builtServer, type DemoProcess, startDemo } from '../setup/demo-process.ts';
import { startFaultyWire } from './faulty-wire.ts';

/** Flags that keep a test browser from talking to anything but the test. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Tests with one real Chromium for a file. What they open and start ends with them, also side by side. */
export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await chromium.launch({ executablePath: inject('chromiumPath'), args: quiet });
    onCleanup(() => browser.close());
    return browser;
  })
  /** Opens a browser profile of its own: its own cookies, and so its own order. */
  .extend('newShopper', ({ browser }, { onCleanup }) => {
    const contexts: BrowserContext[] = [];
    onCleanup(async () => void (await Promise.all(contexts.map((context) => context.close()))));
    return async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
      const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
      context.setDefaultTimeout(15_000);
      // A page and all that it loads.
      context.setDefaultNavigationTimeout(30_000);
      contexts.push(context);
      return context;
    };
  })
  /** Starts a demo of its own, for tests that move the clock or break the service; gives its address. */
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend('startOwnDemo', ({}, { onCleanup }) => {
    const demos: DemoProcess[] = [];
    onCleanup(async () => void (await Promise.all(demos.map((demo) => demo.stop()))));
    return async (env: Record<string, string> = {}): Promise<string> => {
      const demo = await startDemo(builtServer, env);
      demos.push(demo);
      return demo.url;
    };
  })
  /** A wire to the demo that all tests share. */
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend('wire', async ({}, { onCleanup }) => {
    const wire = await startFaultyWire(inject('demoUrl'));
    onCleanup(wire.close);
    return wire;
  });
