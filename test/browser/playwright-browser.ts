import type { Browser } from 'playwright-core';
import type { JourneyBrowser, JourneyPage } from './journey-page.ts';

/** A browser that Playwright drives. Each page is a new shopper's. */
export const journeysOf = (browser: Browser): JourneyBrowser => ({
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
});
