import { it } from '../browser-test.ts';
import type { JourneyBrowser } from '../journey-page.ts';
import { startPageShop } from './page-shop.ts';

/** A test function with one such browser, and one shop whose pages the tests write, for each file. */
export const drivenTest = (name: string, start: (() => Promise<JourneyBrowser>) | undefined) =>
  it
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's dependencies from the pattern
    .extend('shop', { scope: 'file' }, async ({}, { onCleanup }) => {
      const shop = await startPageShop();
      onCleanup(shop.close);
      return shop;
    })
    // biome-ignore lint/correctness/noEmptyPattern: as above
    .extend('driven', { scope: 'file' }, async ({}, { onCleanup }) => {
      if (!start) throw new Error(`There is no ${name}.`);
      const browser = await start();
      onCleanup(browser.close);
      return browser;
    });
