import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { openGallery } from '../../test/browser/gallery-page.ts';
import { requireChromium } from '../../test/setup/browsers.ts';
import { builtServer, startDemo } from '../../test/setup/demo-process.ts';
import { projectFolder } from './pages.ts';

const demo = await startDemo(builtServer);
const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--no-sandbox'] });
try {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const { page, show } = await openGallery(context, demo.url);
  for (const [theme, file] of Object.entries({ light: 'checkout.png', dark: 'checkout-dark.png' })) {
    await show('awaitingTransfer', { theme });
    await page.screenshot({ path: join(projectFolder, 'docs/images', file), animations: 'disabled' });
  }
} finally {
  await browser.close();
  await demo.stop();
}
