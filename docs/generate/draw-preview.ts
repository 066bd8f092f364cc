import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { openShop } from '../../test/browser/shop-page.ts';
import { requireChromium } from '../../test/setup/browsers.ts';
import { builtServer, startDemo } from '../../test/setup/demo-process.ts';
import { projectFolder } from './pages.ts';

const demo = await startDemo(builtServer);
const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--no-sandbox'] });
try {
  // The size of the pictures that other sites show with a link.
  const viewport = { width: 1200, height: 630 };
  const context = await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce' });
  const { page, pressPay, untilState } = await openShop(context, demo.url);
  await pressPay();
  await untilState('awaitingTransfer');
  await page.locator('[data-action="send-exactly"]').waitFor();
  const picture = await page.screenshot({ animations: 'disabled' });
  // A palette makes the file half as large.
  await sharp(picture)
    .png({ palette: true, colours: 64 })
    .toFile(join(projectFolder, 'demo/public/preview.png'));
} finally {
  await browser.close();
  await demo.stop();
}
