import { afterAll, beforeAll, describe, vi } from 'vitest';
import { it } from '../browser/browser-test.ts';
import { describeMounting, type MountingOptions } from '../mounting/mounting-suite.ts';
import { type InstalledExample, installExample } from './installed-example.ts';
import { buy, payInBrowser } from './paid-in-browser.ts';

type Options = {
  /** Whether the framework changes pages without a load. Default: true. */
  readonly hasRouter?: boolean;
  /** Whether the account is in the HTML. Default: false. */
  readonly isRendered?: boolean;
  /** Whether the script `dev` serves the pages on the example's own port. Default: false. */
  readonly hasDevServer?: boolean;
  /** Starts the built server alone, and tests how it mounts the checkout. */
  readonly serve?: readonly [string, ...string[]];
} & MountingOptions;

/** Tests an example of `demo/examples` with the packed package, in its framework's own production build. */
export function describeExample(name: string, options: Options = {}): void {
  const { hasRouter = true, isRendered = false, hasDevServer = false, serve } = options;
  describe(`the example ${name}`, () => {
    let example: InstalledExample;
    beforeAll(async () => {
      example = await installExample(name);
    });
    afterAll(() => example?.remove());

    it('is built, started and paid in', async ({ expect, newShopper, onTestFinished }) => {
      const runtime = await example.start('start');
      onTestFinished(runtime.kill);
      if (isRendered) await buy(await newShopper({ javaScriptEnabled: false }), example);
      await payInBrowser(await newShopper(), example, { hasRouter });
      expect(runtime.output()).toContain('is paid: ship it.');
      // Of Next, which builds for its Edge runtime, too.
      expect(runtime.output()).not.toContain('Node.js API is used');
    });

    it.runIf(hasDevServer)(
      'hydrates without a warning in development',
      async ({ newShopper, onTestFinished }) => {
        const runtime = await example.start('dev');
        onTestFinished(runtime.kill);
        // At its first visit a page is compiled, which may take long, and is loaded again.
        const first = await newShopper();
        await vi.waitFor(() => buy(first, example), { timeout: 120_000 });
        // Astro warns of reduced motion.
        const shopper = await newShopper({ reducedMotion: 'no-preference' });
        await payInBrowser(shopper, example, { hasRouter, isDevelopment: true });
      },
    );

    if (serve) describeMounting(name, async () => ({ command: serve, folder: example.folder }), options);
  });
}
