import { describe } from 'vitest';
import { it } from '../browser/browser-test.ts';
import { installExample } from './installed-example.ts';
import { payInBrowser } from './paid-in-browser.ts';

/** Tests an example of `demo/examples` with the packed package. */
export function describeExample(name: string, { hasRouter = true } = {}): void {
  describe(`the example ${name}`, () => {
    it('is installed, built and paid in', async ({ expect, newShopper, onTestFinished }) => {
      const example = await installExample(name);
      onTestFinished(example.remove);
      const runtime = await example.start('start');
      onTestFinished(runtime.kill);
      await payInBrowser(await newShopper(), example, { hasRouter });
      expect(runtime.output()).toContain('is paid: ship it.');
    });
  });
}
