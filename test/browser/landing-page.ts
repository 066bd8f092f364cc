import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';
import { digitsOf, openShop } from './shop-page.ts';

export const phone = { viewport: { width: 360, height: 740 } } satisfies BrowserContextOptions;
export const desktop = { viewport: { width: 1280, height: 800 } } satisfies BrowserContextOptions;

/** Opens the landing page, and collects everything that it writes to the console. */
export async function openLanding(context: BrowserContext, url = inject('demoUrl')) {
  const messages: string[] = [];
  context.on('console', (message) => messages.push(message.text()));
  const shop = await openShop(context, url);
  return { ...shop, messages };
}

export const press = (page: Page, action: string): Promise<void> => page.click(`[data-action="${action}"]`);

export async function openPaying(context: BrowserContext, url?: string) {
  const landing = await openLanding(context, url);
  await landing.pressPay();
  await landing.untilState('awaitingTransfer');
  await landing.page.locator('[data-action="send-exactly"]').waitFor();
  return { ...landing, account: digitsOf(await landing.text('accountNumber')) };
}

export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
