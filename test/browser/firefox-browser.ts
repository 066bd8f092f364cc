import { fileURLToPath } from 'node:url';
import { firefox } from 'playwright-core';
import type { JourneyBrowser, JourneyPage } from './journey-page.ts';

/** Firefox's sandbox reads the fonts of `test/setup/fonts.conf` only with leave. */
const firefoxUserPrefs = {
  'security.sandbox.content.read_path_whitelist': fileURLToPath(
    new URL('../../node_modules/dejavu-fonts-ttf/', import.meta.url),
  ),
};

/** Starts a Firefox built by Mozilla or Debian. */
export async function startFirefox(executablePath: string): Promise<JourneyBrowser> {
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs });
  return {
    close: () => browser.close(),
    async newPage(width) {
      const context = await browser.newContext({ viewport: { width, height: 740 } });
      const page = await context.newPage();
      return {
        open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
        reload: async () => void (await page.reload({ waitUntil: 'domcontentloaded' })),
        evaluate: ((run, given) => page.evaluate(run as never, given)) as JourneyPage['evaluate'],
        click: (selector) => page.locator(selector).first().click(),
        pressKey: (key) => page.keyboard.press(key),
      };
    },
  };
}
