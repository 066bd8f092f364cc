import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { inject } from 'vitest';
import { it } from './browser-test.ts';
import { openGallery } from './gallery-page.ts';

/** Returns the contrast between the lightest and the darkest point of a part, without its rounded corners. */
async function contrastOf(page: Page, selector: string): Promise<number> {
  const part = page.locator(selector).first();
  await part.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const clip = { x: x + 6, y: y + 6, width: width - 12, height: height - 12 };
  const greys = await sharp(await page.screenshot({ clip }))
    .greyscale()
    .raw()
    .toBuffer();
  const luminance = (grey: number): number => ((grey / 255 + 0.055) / 1.055) ** 2.4;
  return (luminance(Math.max(...greys)) + 0.05) / (luminance(Math.min(...greys)) + 0.05);
}

/** Makes the gallery's page one that has no dark theme, like those that browsers darken by themselves. */
const forgetScheme = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.querySelector('meta[name="color-scheme"]')?.remove();
    for (const element of document.querySelectorAll<HTMLElement>('html, [data-theme], .single'))
      element.style.colorScheme = 'normal';
  });

it('colours that the browser changes leave the QR code and the buttons readable', async ({
  expect,
  newShopper,
}) => {
  const context = await newShopper({ colorScheme: 'dark', viewport: { width: 1280, height: 800 } });
  const { page, show } = await openGallery(context, inject('demoUrl'));
  const session = await context.newCDPSession(page);
  for (const theme of ['light', 'dark']) {
    await show('awaitingTransfer-qr', { theme });
    await forgetScheme(page);
    for (const change of ['darkened', 'forced']) {
      await session.send('Emulation.setAutoDarkModeOverride', { enabled: change === 'darkened' });
      await page.emulateMedia({ forcedColors: change === 'forced' ? 'active' : 'none' });
      expect(await contrastOf(page, '[part="qr"]'), `${theme}, ${change}`).toBeGreaterThan(18);
      expect(await contrastOf(page, '[part="copy"]'), `${theme}, ${change}`).toBeGreaterThan(4.5);
    }
  }
});
