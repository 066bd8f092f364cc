import { it } from './browser-test.ts';
import type { JourneyBrowser } from './journey-page.ts';

/** A test function with one such browser for each file. */
export const drivenTest = (name: string, start: (() => Promise<JourneyBrowser>) | undefined) =>
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's dependencies from the pattern
  it.extend('driven', { scope: 'file' }, async ({}, { onCleanup }) => {
    if (!start) throw new Error(`There is no ${name}.`);
    const browser = await start();
    onCleanup(browser.close);
    return browser;
  });
