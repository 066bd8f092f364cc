import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';
import type { JourneyBrowser, JourneyPage } from './journey-page.ts';

const executablePath = inject('chromiumPath');

/** Starts a Chromium for a file of tests that takes its browser as a parameter. Undefined where there is none. */
export const startChromium = executablePath
  ? async () => journeysOf(await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] }))
  : undefined;

/** A browser that Playwright drives. Each page is a new shopper's. */
export const journeysOf = (browser: Browser): JourneyBrowser => ({
  close: () => browser.close(),
  async newPage(width) {
    const context = await browser.newContext({ viewport: { width, height: 740 } });
    const page = await context.newPage();
    let frame = page.mainFrame();
    return {
      async open(url) {
        frame = page.mainFrame();
        await page.goto(url, { waitUntil: 'domcontentloaded' });
      },
      reload: async () => void (await page.reload({ waitUntil: 'domcontentloaded' })),
      async enterFrame() {
        const element = await page.waitForSelector('iframe');
        frame = (await element.contentFrame()) ?? frame;
      },
      evaluate: ((run, given) => frame.evaluate(run as never, given)) as JourneyPage['evaluate'],
      click: (selector) => frame.locator(selector).first().click(),
      pressKey: (key) => page.keyboard.press(key),
    };
  },
});
