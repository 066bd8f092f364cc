import type { Browser, Page } from 'playwright-core';
import { test } from 'vitest';
import { type SitePage, startSite } from './markup-site.ts';

/** A page of the shop, and what it has logged. */
export type ShopPage = { readonly page: Page; readonly logged: string[] };

/** A test function with one browser, the shop's site and a foreign one for each file. */
export const markupTests = (launch: () => Promise<Browser>) =>
  test
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's dependencies from the pattern
    .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
      const browser = await launch();
      onCleanup(() => browser.close());
      return browser;
    })
    // biome-ignore lint/correctness/noEmptyPattern: as above
    .extend('shop', { scope: 'file' }, async ({}, { onCleanup }) => {
      const site = await startSite('9012345678');
      onCleanup(site.close);
      return site;
    })
    // biome-ignore lint/correctness/noEmptyPattern: as above
    .extend('foreign', { scope: 'file' }, async ({}, { onCleanup }) => {
      const site = await startSite('6666666666');
      onCleanup(site.close);
      return site;
    })
    .extend(
      'open',
      ({ browser, shop, foreign }, { onCleanup }) =>
        async (page: SitePage): Promise<ShopPage> => {
          shop.setPage(page);
          foreign.setPage({ html: '' });
          const context = await browser.newContext();
          onCleanup(() => context.close());
          context.setDefaultTimeout(15_000);
          // Firefox's protocol passes on no messages of errors.
          await context.addInitScript(() => {
            const { error: log } = console;
            console.error = (error: Error) => log(error.message);
          });
          const opened = await context.newPage();
          const logged: string[] = [];
          opened.on('console', (message) => logged.push(message.text()));
          opened.on('pageerror', (error) => logged.push(String(error)));
          await opened.goto(`${shop.url}/page`, { waitUntil: 'domcontentloaded' });
          return { page: opened, logged };
        },
    );

/** Returns the digits of the account that the page shows first. */
export const shownAccount = async ({ page }: ShopPage): Promise<string> => {
  const field = page.locator('[data-field="accountNumber"]').first();
  return (await field.innerText()).replace(/\D/g, '');
};

/** Returns whether a script of another site has run. */
export const isMarked = ({ page }: ShopPage): Promise<boolean> =>
  page.evaluate(() => 'foreign' in document.documentElement.dataset);
